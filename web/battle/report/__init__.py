"""The story and the after-action report of a battle."""
