"""Rounds of a stage: drafting, publishing, taking back and discarding them.

A round is drafted by `services.draft_round`: the stage kind proposes pairings (`rules.stages`),
`store_pairings` stores them as matches with tables and settles byes and forfeits. Only the staff
sees a draft, which may be changed by hand (`tournaments.drafts`) until `publish_round` shows it to
everybody. `take_back_round` deletes the last round while it has no reported result; `discard_round`
deletes one with results. Other features do their part by the signals of `services`: sheets of a
published round are written, and a snapshot is taken before a discard.

A round's ``ordinal`` counts through the whole event and appears in addresses and in the log; its
``number`` counts within the stage. Rounds of extra matches (`tournaments.extra_matches`) are rows
of the same table with ``level`` set. A round stores the pairs it kept apart (``apart``), and a
match stores whether a player missed the round (``missed``): `rules.stages.kind` rebuilds
the stage as it was before a round from these, for verification and for the effects of a correction.

Open `services` to change what is stored, and for what undo does and asks, `selectors.pairings` for
the public page, `selectors.desk_rows` for its tables at the desk, `selectors.discards` for a draft
before it is published and for the page that confirms a discard, and `api` for programs.
"""
