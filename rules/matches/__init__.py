"""Match results: from a claim to a stored outcome.

``match_rules`` defines ``MatchRules``, ``Claim`` and ``Outcome``. ``settling.resolve_claim`` turns
a claim into an outcome, with figures validated by ``match_rules``, battle cards of
Doomtrooper too; ``shorthand`` parses claims typed at the desk. ``agreement`` compares two
reports, and a stored result with itself.
"""
