"""Reading untrusted files within limits, without knowledge of decks.

``tables.read_table`` is the entry point for CSV and .xlsx; ``delimited``, ``workbook``,
``archives`` and ``xml_events`` parse piece by piece, so that ``limits`` hold before memory is used.
Every error is a ``BadInput``.
"""
