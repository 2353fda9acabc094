"""The API: what routes are made with, and those of the table, its seats and its host."""
