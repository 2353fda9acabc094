"""The chart of a table as a picture: ships, rings, lines of sight, labels and a title block."""
