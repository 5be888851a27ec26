"""The command line: thin edges over functions of the package."""
