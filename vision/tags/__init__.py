"""Coded markers in a picture: found, decoded, aligned and measured."""
