"""The check of two ships: measurements, rules and its view."""
