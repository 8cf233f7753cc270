"""The desk: the staff's page during a round, with its tables and the one next step.

``selectors.desk`` makes the page from the event's facts: what blocks the next step, and its button;
it also makes the choice between two entries of one result. ``selectors.closing`` makes the page of
who goes on, and what closing a stage brings. The desk's tables are rows of
``tournaments.rounds.selectors.desk_rows``. The page polls with the ETag it holds; ``desk.js`` keeps
results typed while the server is unreachable in an outbox and sends them in order with the match's
version.

``views`` has the pages that are reached from it: ``views.desk`` stores what is typed on a line,
``views.form`` results field by field, with the page of one match, ``views.rounds`` a draft and what
becomes of it, the way to the next stage, and the choice between level players. They call the
services of ``tournaments.results``, ``rounds``, ``drafts``, ``stages``, ``lots`` and
``extra_matches``; what its acts share is in ``tournaments.pages.views``.
"""
