"""Research that no genre needs, each module named for its question."""
