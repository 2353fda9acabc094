"""Captains: opponents that play one side of a guided battle, with what a player of it may see."""
