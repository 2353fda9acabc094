"""The stored battles: their list, files, export and import."""
