"""Ship cards that are the players' own: kept in the data folder, edited on a page and as TOML."""
