"""Drafts of rounds changed by hand, and the check list shown before publishing.

`rules.drafts` sees a draft as its tables: `rules.drafts.draft` returns which matches an act removes
and creates, and `rules.drafts.check` returns the remarks of the check list.
`services.change_draft` performs such an act. Removed matches are deleted and new ones
created in their place, so that a match never changes its two players; the rows are kept for undo,
and the reason of a pairing made by hand carries ``by_hand``. A draft may leave players unpaired,
but cannot be published like that (`rounds.services.check_all_paired`).

Table numbers are assigned by `rules.stages.tables` when a round is drafted, and stored:
in Swiss rounds by the points of the better player, then of both; the final precedes the match for
third place. Match numbers remain those of the pairings.

A round's version is the number of the last log line about it: a page or program names the version
it saw, and a change of another version is refused. Rounds changed by hand follow from no rule, so
`manage.py verify` lists them without recomputing them, and the effects of a correction are compared
with what the rules had proposed.

`selectors` has the check list and the draft page, `services.draft_actions` the acts that a page or
program may request, `api` the endpoints.
"""
