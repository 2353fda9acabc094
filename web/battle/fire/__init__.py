"""The pages of fire: designation, resolution with dice, and the check of a pair."""
