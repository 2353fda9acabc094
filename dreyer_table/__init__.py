"""Dreyer Table under a name that no other distribution has: `python -m dreyer_table`.

The program's own packages have common names (`web`, `vision`, `combat`, `calibration`, `tabletop`).
Here it is checked that they are ours before anything of them is imported.
"""
