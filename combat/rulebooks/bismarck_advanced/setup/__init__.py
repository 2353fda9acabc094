"""How a battle begins: range, side of approach, formations, places, hidden numbers (55)."""
