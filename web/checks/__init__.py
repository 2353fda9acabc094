"""The check of two ships and the calculator: measured, settled, foretold and drawn."""
