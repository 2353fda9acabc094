"""What every request goes through: the guard, the context of the server, faults and answers."""
