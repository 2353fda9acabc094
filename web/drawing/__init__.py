"""The drawing kit: figures, fonts, colours and labels, and all pictures and printed pages."""
