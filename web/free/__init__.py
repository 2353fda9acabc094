"""Battles in free play: any action of a rulebook at any time."""
