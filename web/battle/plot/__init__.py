"""The plot pad."""
