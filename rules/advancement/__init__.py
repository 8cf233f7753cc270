"""Advancement: the outcome of a stage, its qualifiers, and the final ranking.

``stage_outcome`` combines the standings of a stage into a ``StageOutcome``: for groups and play-ins
with ``from_groups``, for brackets with ``bracket_ranking``. ``outcome.seat`` fills the next stage's
seats, which ``from_groups`` rearranges. ``final_ranking`` walks back through all stages.
"""
