"""The players' own data: ship cards and table values."""
