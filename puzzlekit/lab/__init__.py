"""The laboratory: what is asked of boards, banks and grids, and the tables that answers become. No genre is named here."""
