"""The hall's screen: one read-only page that switches by itself to what is due.

``services`` pins a view from the desk, ``selectors`` says which parts there are now and breaks them
into pages; ``screen.js`` turns the pages and chooses between names and clock by the clock that
every answer carries. The page has no control but keys, and nothing that everybody may not see.
"""
