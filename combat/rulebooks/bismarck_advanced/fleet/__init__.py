"""Warships: their files, their parts, and the state they are in (54, 64)."""
