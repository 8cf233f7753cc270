"""Decklists as stored: submissions with their violations, and how they are shown.

``services`` stores a checked list as a new row, ``mapping`` turns rows back into decks and
violations, ``selectors`` prepares them for pages. ``forms`` and ``live_check`` serve lists that are
checked without being stored; ``downloads`` and ``sheets`` give them out as files and on paper.
"""
