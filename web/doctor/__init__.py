"""What is wrong with this computer for a table: `dreyer doctor`, and the page for the host."""
