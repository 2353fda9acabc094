"""The journal: SQLite storage, and the records of guided battles and of free play in it."""
