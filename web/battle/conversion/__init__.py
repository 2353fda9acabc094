"""Ships carried over between two games: what an address asks for, and what the page shows."""
