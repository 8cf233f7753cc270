"""Deck checks: a table picked at random or named, the list ticked line by line, an outcome.

``services`` begins a check, keeps the ticks (without lines in the log; ``checks.js`` sends each by
the outbox, a page without script all of them) and finishes it, gives the table its time back and
stores a penalty. ``selectors`` prepares the desk with who was checked and who not, one check, and
exchanges between games.
"""
