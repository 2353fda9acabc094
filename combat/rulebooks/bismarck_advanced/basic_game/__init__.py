"""The Basic and Intermediate Games' hit record, and conversion of marks to and from it (72)."""
