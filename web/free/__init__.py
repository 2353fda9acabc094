"""Battles in free play: any action of a rulebook at any time, by hand or on the table."""
