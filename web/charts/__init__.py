"""The chart as a picture: ships, rings, sights, labels, paper and colours."""
