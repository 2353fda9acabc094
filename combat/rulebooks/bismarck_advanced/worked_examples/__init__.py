"""The book's worked examples, replayed through the engine."""
