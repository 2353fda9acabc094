"""After a battle: withdrawal, repairs and refuelling (66, 68, 72)."""
