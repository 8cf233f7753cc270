"""Series of events: points for each event, the table, and what is still possible."""
