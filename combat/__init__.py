# This package belongs to Dreyer Table.
"""The rulebooks, played by data: who may fire, how well, and what a hit does."""
