"""Corrections of what a running stage was made from: which of its matches change hands.

``followed`` brings a stage in line with other seats or another result: who plays each match, of
which ``fates`` says what becomes of it. ``byes`` gives the bye of a Swiss round to somebody else,
``start`` says who holds the places of the start once the seeds are right.
"""
