"""The hash chain of an event's log, which makes changes behind the program's back detectable.

``log.services.record`` writes a line; ``lines.seal_line`` fills in its payload (the new state of
the rows written since the line before) and its digest. Which rows these are is known from marks
that the ORM leaves (``models/tables.py``, read by ``lines``), so a service writes first and records
last. Each model declares which columns are covered (``models.tables``), ``payload`` reads them as
plain data addressed by place ("round/5/match/3"). ``lines`` holds the digests of what is kept for
undo and of snapshots, too. ``verification/records.py`` checks the digests, replays the payloads and
compares them with the tables; docs/verifying.md explains it to readers. Lines of before tell under
``file`` of their words what a file beside the database held, and ``laws`` in their facts: digests
cover both, nothing reads them.

A line's columns (``models/log.py``): ``facts`` is open, ``subject``, ``before``, ``after``,
``reason`` and ``words`` are closed. ``digest`` = SHA-256(digest of the line before + canonical
JSON of number, at, action, player, facts and ``closed_digest``); ``closed_digest`` =
SHA-256(``salt`` + canonical JSON of the closed columns).

To erase a person ``lines.replace_private_columns(line, ...)`` is called on each line that names
them: it replaces closed columns and deletes the salt; both digests stay. Then
``record(event, ..., erased=[numbers])`` adds a line that lists these lines and stores all closed
words anew under its own salt. A line without salt that no such line lists is a finding.
"""
