"""What one caller may see: the table, its lists, the battle and what it asks for now."""
