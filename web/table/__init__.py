"""The state of a table: ships, sides, smoke, what was settled, and its log."""
