"""The players' own ship cards, stored in the data folder and edited on a page or as TOML."""
