"""The games that the journal's records give: the guided battle and the battles in free play."""
