"""Standings of stages and groups, the reasons for each rank, and the final ranking.

`rules.standings` ranks the players of a group criterion by criterion and proves each rank;
``StageFacts.outcome`` has the tables of a stage, ``EventFacts.ranking`` the final ranking. Nothing
is stored. `selectors.standings` makes rows for the page of them, with the reason for each rank
and the comparison of tied players criterion by criterion (both of `selectors.proofs`; the workbook
and the API use the comparison, too).

`api` returns the same for programs; `api.RankView` ranks results that are not
stored (`POST /api/v1/rank/`). The order of the criteria is changed by `tournaments.criteria`, ties
that remain are broken by `tournaments.lots`.
"""
