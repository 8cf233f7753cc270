"""The chain of an event's log: what its lines tell of the rows, sealed, signed, kept beside it.

``columns`` names what counts, ``facts`` reads it as plain data by its place ("round/5/match/3"),
``lines`` seals a line, ``heads`` keeps the latest fingerprint in a file outside the database.
``verification/chain.py`` walks the chain, ``verification/ledger.py`` folds what the lines tell
and compares it with the tables.

A line's columns (``models/log.py``): ``facts`` is open, ``subject``, ``before``, ``after``,
``reason`` and ``words`` are closed. ``digest`` = SHA-256(digest of the line before + canonical
JSON of number, at, action, player, facts and ``closed_digest``); ``closed_digest`` =
SHA-256(``salt`` + canonical JSON of the closed columns).

Who erases a person calls ``lines.rewrite_closed(line, ...)`` on each line that names them: it
stores other closed columns and throws the salt away; ``digest`` and ``closed_digest`` stay. Then
one line of the log names these lines: ``record(event, ..., erased=[numbers])`` also tells all
names and words anew under a salt of its own. A line without salt that no such line names is a
finding of ``verify``.
"""
