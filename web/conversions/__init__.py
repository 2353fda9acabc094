"""Ships between the Advanced and the Basic Game: what an address asks for, and files (72)."""
