"""What the pages of a battle show in which ships act one after the other."""
