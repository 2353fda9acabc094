"""The Basic and Intermediate Games' hit record, and a ship's marks carried over and back (72)."""
