"""Warships: their files, their parts and their current state (54, 64)."""
