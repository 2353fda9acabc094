#!/bin/sh
# Adds Dreyer Table to the menu of programs. Run it again after moving the folder.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
menu="${XDG_DATA_HOME:-$HOME/.local/share}/applications"
mkdir -p "$menu"
# In a desktop entry a quoted path needs these four characters escaped.
quoted=$(printf '%s' "$here/dreyer" | sed -e 's/[\\"`$]/\\\\&/g')
cat > "$menu/dreyer-table.desktop" <<ENTRY
[Desktop Entry]
Type=Application
Name=Dreyer Table
Comment=A fire-control table for naval miniatures
Comment[de]=Ein Feuerleittisch für Schiffsminiaturen
Exec="$quoted"
Icon=$here/dreyer.png
Terminal=true
Categories=Game;BoardGame;
ENTRY
echo "Dreyer Table is in the menu of programs now: $menu/dreyer-table.desktop"
