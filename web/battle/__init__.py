"""The content of the battle's pages: plots, fire, set-up and the report."""
