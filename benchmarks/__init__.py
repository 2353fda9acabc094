"""What is measured, against what: each figure is a ratio to a named baseline of the same run."""
