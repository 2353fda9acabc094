"""Movement: plots, speed, turning arcs, evolutions and smoke (57–59, 67)."""
