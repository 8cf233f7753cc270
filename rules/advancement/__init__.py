"""Advancement: the outcome of a stage, its qualifiers, and the final ranking.

``outcome`` combines the standings of a stage into a ``StageOutcome``, of groups
with ``from_groups``; its ``seat_players`` fills the next stage's seats, which ``from_groups``
rearranges, and its ``final_ranking`` walks back through all stages.
"""
