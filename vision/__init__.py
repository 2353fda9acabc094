# This package belongs to Dreyer Table.
"""From camera frames to the poses of named ships."""
