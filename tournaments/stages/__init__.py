"""Stages: closing one and seating the next, the second leg, and taking a stage back.

A started event has all its stages as rows, from its stored plan; one is open at a time.
`services.close_stage` requires every result and no undecided tie, stores who holds which place
(``Stage.places``) and seats the next stage by `rules.advancement.outcome.seat_players`.
`services.open_stage` is also called by the start (`tournaments.starting`).
`services.undo_stage_opening` and `reopen_last_stage` undo a closing for corrections and for undo.

`selectors` has the preview of the next stage, from the places known so far (`core.kept_places`);
places of closed stages are the stored ones, so a later correction does not move players unless it
is told to. The desk's pages are in `tournaments.desk.views.rounds`, the endpoints in `api`;
`services` also undoes what the log has of stages.
"""
