"""The API: the declaration of routes, and all routes."""
