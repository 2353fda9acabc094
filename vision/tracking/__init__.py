"""Ships, corner markers and counters from frame to frame."""
