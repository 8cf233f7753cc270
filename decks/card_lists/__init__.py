"""Banned, limited and other lists of a format, in dated versions loaded from files.

``files`` reads and writes them as CSV or .xlsx, ``services.load_lists`` stores a version, which
never changes; ``selectors`` shows versions and their differences. ``decks.rulebook`` picks the
version in effect.
"""
