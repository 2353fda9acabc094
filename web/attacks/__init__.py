"""Attacks rolled on the calculator: dice, marks carried from one to the next, log and undo."""
