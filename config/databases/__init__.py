"""Databases as the site uses them: Django's own, with what a crowd of writers needs."""
