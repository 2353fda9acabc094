"""The HTTP layer: the guard, the context of the server, errors and responses."""
