"""The battle on the table: its journal, its secrets, undo by consent, and its pages."""
