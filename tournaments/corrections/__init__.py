"""Corrections of what more was made from: who belongs where, and what can be done now.

``selectors.choices`` says what a corrected result changes and what can be done: keep what was made,
let its matches follow (``rules.corrections``: who belongs there gets the seat, what was played is
void or played again), or take the rounds since back; ``selectors.choices`` says so of an order of
lots that was entered the wrong way, ``selectors.seat`` of the wrong player resting in a round,
``selectors.start`` of seeds, and of a player who should not have been in.
``selectors.page`` puts it in words, with what each costs, and ``forms`` leads from there to the
end. ``services`` does one of the ways, in one transaction, after a snapshot; what it does is
computed by the same functions, so that the page foretells it.
"""
