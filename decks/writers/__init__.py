"""Writers of deck lists, one module per file type; each registers itself in ``base.WRITERS``.

``base.table_rows`` are the rows of a table, CSV or workbook. What ``kinds.write_deck`` writes, the
reader of the same type reads back as the same deck.
"""
