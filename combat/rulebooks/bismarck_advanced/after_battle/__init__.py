"""What follows the fight: withdrawal, repairs, conversions to the other games (66, 68, 72)."""
