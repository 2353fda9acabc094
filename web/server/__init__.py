"""The server around the table: door, sockets, sharing, live link, data folder."""
