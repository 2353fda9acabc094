"""Movement: plots, speed, turning arcs, evolutions, smoke (57–59, 67)."""
