"""The rulebooks' tables with the owner's values: shown, edited, pasted, undone."""
