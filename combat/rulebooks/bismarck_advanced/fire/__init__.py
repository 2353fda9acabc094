"""Fire: from the facts of a shot through gunnery and damage to its odds (60–65, 69, 71)."""
