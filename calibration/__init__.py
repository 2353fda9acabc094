"""From the camera's pixels to the table's millimetres, and the paper that makes it possible."""
