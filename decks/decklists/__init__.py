"""Decklists as stored: submissions with their violations, and how they are shown.

``services`` stores a checked list as a new row, ``selectors`` turns rows back into decks and
violations and prepares them for pages. ``forms`` and ``live_check`` serve lists that are
checked without being stored; ``services`` and ``sheets`` give them out as files and on paper.
``samples`` invents lists, and their cards, for demonstrations.
"""
