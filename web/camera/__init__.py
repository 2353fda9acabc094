"""The camera of the running table, its set-up, and photos."""
