"""Reading untrusted files within limits, without knowledge of decks.

``tables.read_table`` is the entry point for CSV and .xlsx; ``tables``, ``workbook``
and ``archives`` parse piece by piece, so that ``limits`` hold before memory is used.
Every error is a ``BadInput``.
"""
