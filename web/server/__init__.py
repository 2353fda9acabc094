"""The server's sockets: addresses of this machine, listeners and sharing."""
