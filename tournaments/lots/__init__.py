"""Draws: the order of the start, and lots between tied players.

Every event has one announced draw: a secret seed whose SHA-256 is public before anybody knows what
it will decide (`services.announce_draw`). A draw sorts the players by the SHA-256 of
``SEED:NUMBER`` (`rules.ties.draws`); afterwards the seed is public and the next draw is announced.
A draw made by hand is stored with its order and its witnesses instead; one from a seed that was
given says so (`tournaments.core.draw_origins`). All draws remain on record, including those
replaced by a later one, and are counted.

`selectors` finds the tied sets of a stage and whether a later stage depends on them, for the
page on which organisers choose between lots and tiebreaker matches
(`tournaments.desk.views.rounds`); `rules.ties.decisions` is where the latest of both is applied to
a table. `selectors` also has the public list of draws with everything needed to recompute them, and
`api` the endpoint for programs.
"""
