"""The start of an event, which pairs its first round.

`services.start_and_pair` draws the order, unless one was drawn by hand, starts and drafts round 1.
`selectors.start_page` shows what blocks that or needs an answer. `services.start_event` checks that
the draw still fits the players and that decklists are in order (or overridden with a reason),
stores the formula's plan and the versions of the card lists with the event, locks the decklists,
creates all stages and opens the first (`tournaments.stages.services.open_stage`). Draws are made by
`tournaments.lots.services`.

A start can be taken back while no round is made (`tournaments.undo`); its draw remains on record.
"""
