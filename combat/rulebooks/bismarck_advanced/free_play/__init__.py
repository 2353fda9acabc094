"""Free play of the Advanced Game: its actions, and the state of a ship."""
