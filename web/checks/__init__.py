"""The check of two ships: what is measured, what the rules say of it, and its view."""
