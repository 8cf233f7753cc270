"""Prospects: who has qualified or is eliminated, and what the next match must bring.

`rules.scenarios` enumerates the possible ends of a stage and returns a verdict for each player,
with the scores that suffice. `selectors` calls it and caches the result by the stage's
state, and puts verdicts and scores in words, for the page of all
groups, the player's own page, the desk and programs (`api`). A page limits the number
of possibilities it examines (``MAX_OUTCOMES``); beyond that it tells only what points alone make
certain.

An event may hide its prospects from everybody but the staff (``Event.show_prospects``).
"""
