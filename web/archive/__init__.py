"""The battles that are stored: their list, files, export and import."""
