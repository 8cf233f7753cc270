"""Files of an event: the standings to hand out, the archive workbook, CSV, and the transcript.

``handout.file.standings_workbook`` writes the workbook to hand out. ``workbook.event_workbook``
writes the archive workbook: it loads the data once (``loading``), builds the tables (``tables``,
``workbook``) and writes each as a sheet (``sheets``), with values converted so that no spreadsheet
program misreads them. A workbook is passed on, so it holds decklists only for readers who may see
all of them. ``api`` writes the rows of the API as CSV. ``views`` has the downloads and the
transcript, the public data from which anybody can recompute and verify a finished event
(docs/verifying.md).
"""
