"""Django's SQLite engine with a bounded queue of writers."""
