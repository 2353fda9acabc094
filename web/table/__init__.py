"""The state of a table: ships, sides, smoke, settlements, and its log."""
