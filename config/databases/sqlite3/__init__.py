"""Django's SQLite engine with a bounded queue of writers; ``settings`` say how long they wait."""
