"""The rulebooks' tables with the owner's values: seen, edited, pasted, undone."""
