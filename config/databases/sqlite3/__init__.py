"""Django's SQLite, whose writers wait in a queue with an end."""
