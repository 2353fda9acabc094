"""Data that the games of BISMARCK share: the Hit Record Pad, torpedo tables and air tables.

It is no rulebook. The Advanced Game and the battle board read the same files.
"""
