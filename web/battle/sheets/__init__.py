"""The pages of the record sheets."""
