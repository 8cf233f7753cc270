"""The start of an event: the draw of the order, the preview of the seats, the start itself.

`selectors.start_page` shows the players, the faults of their decklists, the draw and who would sit
where. `services.start_event` checks that the draw still fits the players and that decklists are in
order (or overridden with a reason), stores the formula's plan and the versions of the card lists
with the event, locks the decklists, creates all stages and opens the first
(`tournaments.stages.services.open_stage`). Draws are made by `tournaments.lots.services`.

A start can be taken back while no round is made (`tournaments.undo`); its draw remains on record.
"""
