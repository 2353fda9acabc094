"""The sockets of the server: addresses of this machine, listeners and sharing."""
