"""Extra matches: tied players meet again, instead of drawing lots.

A round of extra matches stores its players in ``Round.level``: one tied set, or several as a list
of lists, each playing the next round of its own series side by side with the others
(``Round.level_sets``, ``StageFacts.extra_sets``). Otherwise it is a round like any other, with an
ordinal, a clock, reports and log lines. Its matches belong to the group of the first player named,
which nothing reads.

``StageFacts.rounds`` and ``extra_rounds`` include these rounds; ``regular_rounds`` and
``StageState.rounds`` are those of the schedule only, and ``StageState.extra`` has the others, so
that points, pairings and the number of rounds ignore them. `rules.ties.extra_matches` decides who
meets and what order results; `rules.ties.decisions` puts draws and series of extra matches into
order of time and applies the latest that covers the whole tied set. A place won that way has
``placed_by`` "extra_match", which is not a criterion that an event can choose.

`services` makes a round, for programs through `api`; `tournaments.core.extra_matches` labels it and
tells whether its results still count. `tournaments.lots` has the page on which organisers choose
between lots and extra matches.
"""
