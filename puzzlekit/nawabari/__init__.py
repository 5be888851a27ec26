"""Nawabari: cut the grid into rectangles, each with one number that counts its own walls. The rules are in rules.py."""
