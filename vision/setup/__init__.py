"""A camera being set up: its picture judged, its lens and the table measured."""
