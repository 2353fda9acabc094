"""Who may do what: seats, the table's code, PINs and how often they may be tried."""
