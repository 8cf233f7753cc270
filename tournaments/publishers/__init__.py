"""Events that a publisher's program pairs: its pairings pasted, results to type into it.

``views`` read a pasted list by ``rules.drafts.given`` and say what is wrong with each line;
``plan_changes.services.draft_pasted_round`` drafts the round, one more than planned where the plan
has none left. ``selectors`` give the results of a round as TOM or EventLink ask for them.
"""
