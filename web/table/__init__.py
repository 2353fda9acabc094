"""The table as the players have it: its state, its moments, and what may be done to it."""
