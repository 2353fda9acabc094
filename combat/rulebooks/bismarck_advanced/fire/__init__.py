"""Fire: shots, gunnery, damage and odds (60–65, 69, 71)."""
