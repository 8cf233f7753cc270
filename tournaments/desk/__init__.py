"""The desk: the staff's page during a round, with its tables and the one next step.

``selectors.desk`` makes the page from the event's facts: what blocks the next step, and its button;
``selectors.conflict`` makes the choice between two entries of one result; its tables are rows of
``tournaments.rounds.selectors.desk_rows``. Results are entered by ``tournaments.results``, rounds
published by ``tournaments.rounds``; what its acts share is in ``tournaments.pages.acting``. The
page polls with the ETag it holds; ``desk.js`` keeps results typed while the server is unreachable
in an outbox and sends them in order with the match's version.
"""
