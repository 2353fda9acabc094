# This package belongs to Dreyer Table.
"""The table and its geometry, in yards.

This package imports no other package of the project and names no rulebook. Range limits, arcs
and sight rules are parameters (`TableRules`); poses are an immutable `Table`. Results carry the
measured value, its uncertainty, and every limit that is too close to call.
"""
