"""The chart of a table: ships, rings, lines of sight, labels and a title block."""
