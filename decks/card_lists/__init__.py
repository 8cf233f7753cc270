"""Banned, limited and other lists of a format, in dated versions loaded from files.

``services.load_lists`` stores a version, which never changes; ``selectors`` shows versions and
their differences, and reads and writes them as CSV or .xlsx. ``decks.rulebook`` picks the version
in effect.
"""
