"""The games that replaying the journal gives: the guided battle and battles in free play."""
