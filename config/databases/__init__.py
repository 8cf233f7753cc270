"""Database engines: Django's own, adapted to many concurrent writers."""
