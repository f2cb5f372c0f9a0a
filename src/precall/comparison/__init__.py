"""Two systems or more, compared: runs, scored lists, decisions, and gates between them."""
