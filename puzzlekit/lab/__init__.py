"""The laboratory: what is asked of boards, banks and grids, and the tables of it. No genre is named here."""
