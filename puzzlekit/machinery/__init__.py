"""Machinery: knows grids, states and numbers, never a genre."""
