"""The rules of play: pure values and functions, independent of Django, databases, time and chance.

``results`` defines what a match result is. ``matches`` turns what somebody claims into a result
that may be stored; ``history`` collects the results of one group; ``criteria`` and ``standings``
rank its players; ``ties`` resolves level players by lots or tiebreaker matches. ``plans`` describes
the stages of an event as data, ``formulas`` builds plans, ``stages`` pairs the rounds of each
kind of stage (with ``swiss`` and ``brackets``), and ``advancement`` says who plays on and how the
event ends. ``scenarios`` computes who is already through or out, ``drafts`` checks and edits a
round before it is published, ``events`` holds state transitions, the clock, penalties, deck
checks and the log's hash chain. ``deckbuilding`` reads and validates decks.

``wording``, ``errors``, ``registry`` and ``names`` are shared by all of them.
"""
