"""The set-up of a battle: the draft in the address, and the actions that begin it."""
