"""Authentication: seats, the table's code, PINs and rate limits."""
