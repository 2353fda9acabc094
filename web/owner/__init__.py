"""What belongs to the players: their ship cards and their values of the tables."""
