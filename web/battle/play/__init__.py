"""A battle under way: actions, requests, undo, corrections and the pages of a turn."""
