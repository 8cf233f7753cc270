"""Advancement: the outcome of a stage, its qualifiers, and the final ranking.

``outcome`` combines the standings of a stage into a ``StageOutcome``: for groups with
``from_groups`` (and ``uneven_groups`` where sizes differ), for brackets with ``bracket_ranking``,
for play-ins with ``play_in``. ``outcome.seat`` fills the next stage's seats, which
``groups_apart`` rearranges. ``final_ranking`` walks back through all stages.
"""
