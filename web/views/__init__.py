"""What one caller may see: the table, its lists, and the battle."""
