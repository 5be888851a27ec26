"""Naive oracles: slow, plain Python, borrowing nothing from the compiled kernels they are compared with."""
