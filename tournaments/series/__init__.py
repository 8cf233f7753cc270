"""Series: events with one table (leagues, circuits, seasons) or one day (conventions).

``final_rows`` keeps what a finished event gives to its series, ``selectors`` compute people and
table from it, ``services`` write. The rules are in ``rules.series``.
"""
