"""Rounds of a stage: drafting, publishing, taking back and discarding them.

A round is drafted by `services.draft_round`: the stage kind proposes pairings (`rules.stages`),
`store_pairings` stores them as matches with tables and settles byes and forfeits. Only the staff
sees a draft, which may be changed by hand (`tournaments.drafts`) until `publish_round` shows it to
everybody. `delete_last_round` deletes the last round while it has no reported result;
`discard_round` deletes one with results. Other features do their part by the signals of
`services`: sheets of a published round are written, and a snapshot is taken before a discard.

A round's ``ordinal`` counts through the whole event and appears in addresses and in the log; its
``number`` counts within the stage. In rounds of tiebreaker matches tied players meet again, instead
of drawing lots: they are rows of the same table with ``level`` set. A round stores the pairs it
kept apart (``apart``), and a match stores whether a player missed the round (``missed``):
`rules.stages.base` rebuilds the stage as it was before a round from these, for verification and for
the effects of a correction.

A round of tiebreaker matches stores its players in ``Round.level``: one tied set, or several as a
list of lists, each playing the next round of its own series side by side with the others
(``Round.level_sets``, ``StageFacts.extra_sets``). Otherwise it is a round like any other, with an
ordinal, a clock, reports and log lines. Its matches belong to the group of the first player named,
which nothing reads.

``StageFacts.rounds`` and ``extra_rounds`` include these rounds; ``regular_rounds`` and
``StageState.rounds`` are those of the schedule only, and ``StageState.tiebreaker_rounds`` has the
others, so that points, pairings and the number of rounds ignore them. `rules.ties.decisions`
decides who meets and what order results; it puts draws and series of tiebreaker matches into order
of time and applies the latest that covers the whole tied set. A place won that
way has ``placed_by`` "extra_match", which is not a criterion that an event can choose.

Open `services` to change what is stored, and for what undo does and asks, `selectors.pairings` for
the public page, `selectors.desk_rows` for its tables at the desk, `selectors.discards` for a draft
before it is published and for the page that confirms a discard, and `api` for programs.
`tournaments.core.extra_matches` labels tiebreaker matches and tells whether their results still
count. `tournaments.lots` has the page on which organisers choose between lots and tiebreaker
matches.
"""
