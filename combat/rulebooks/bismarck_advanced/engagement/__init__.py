"""A battle between its phases: its state, the movement phase, the combat phase and the sheets."""
