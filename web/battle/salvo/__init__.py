"""Salvos and announcements as cards, for every screen."""
