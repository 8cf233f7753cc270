"""Match results: from a claim to a stored outcome.

``match_rules`` defines ``MatchRules``, ``Claim`` and ``Outcome``. ``settling.settle`` turns a
claim into an outcome, with figures validated by ``score_sheets``; ``shorthand`` parses claims
typed at the desk, ``battle_cards`` adds Doomtrooper's battle cards. ``agreement`` compares two
reports, and a stored result with itself.
"""
