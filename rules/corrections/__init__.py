"""Corrections of what a running stage was made from: which of its matches change hands.

``followed`` brings a stage in line with other seats or another result: who plays each match, and
what becomes of what was played there. ``byes`` gives the bye of a Swiss round to somebody else,
``start`` says who holds the places of the start once the seeds are right.
"""
