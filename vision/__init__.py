"""From camera frames to the poses of named ships."""
