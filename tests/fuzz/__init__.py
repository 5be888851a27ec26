"""Hostile input: what every reader promises, held by hypothesis and by a coverage-guided fuzzer."""
