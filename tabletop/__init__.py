"""The table and its geometry, in yards.

This is the ground floor: it knows nobody and names no rulebook. Range limits, arcs and
sight rules come in as parameters (`TableRules`), poses come in as an immutable `Table`,
and what comes out says why: a reading, its uncertainty, and every limit too close to call.
"""
