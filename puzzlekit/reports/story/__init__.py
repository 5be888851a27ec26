"""Pages that tell the story: the front page, and a page for each genre with its rules, its ladder and its "
"findings."""
