"""Corrections of a result from which more was made: who belongs where, and what can be done now.

``selectors.choices`` says what a corrected result changes and what can be done: keep what was made,
let its matches follow (``rules.corrections``: who belongs there gets the seat, what was played is
void or played again), or take the rounds since back. ``selectors.page`` puts it in words, with
what each costs. ``services`` does one of the three, in one transaction and one line, after a
snapshot; what it does is computed by the same functions, so that the page foretells it.
"""
