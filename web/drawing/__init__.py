"""The drawing kit: figures, fonts, colours and labels, and every picture and printed page."""
