"""What people see: pictures, charts, and the board to play. Knows grids, not genres."""
