"""The camera of the running table, its set-up step by step, and photos instead of it."""
