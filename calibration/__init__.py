# This package belongs to Dreyer Table.
"""Calibration: from the camera's pixels to millimetres on the table, and the printed markers."""
