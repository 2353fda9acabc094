"""Setting up a battle: range, direction, formations, places and hidden numbers (55)."""
