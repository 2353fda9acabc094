"""A battle between phases: its state, the movement phase, the combat phase and the sheets."""
