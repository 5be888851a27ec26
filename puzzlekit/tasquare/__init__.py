"""Tasquare: shade squares, a number is the total area of the squares beside it. The rules are in rules.py, in prose."""
