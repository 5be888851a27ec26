"""Jobs: much work as many chunks, run here, on processes or on a cluster, and taken up again where they stopped."""
