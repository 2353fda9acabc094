"""What callers do: each action checks itself and says which events it makes."""
