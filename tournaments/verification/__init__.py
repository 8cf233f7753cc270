"""Verification of an event: everything stored is checked against what follows from the facts.

``event.verify_event`` runs all checks and returns ``Finding`` rows: ``records`` checks the digests
of the log, replays it and compares what it adds up to with the tables; ``rounds``, ``stages``
and ``records`` recompute pairings, places, standings, draws and decklists.
``historical_results`` reconstructs earlier results from the log, as a round or a closed stage may
rightly follow from results that were corrected later. Nothing is changed.
``tests/tournaments/test_invariants.py`` has a planted fault for each check.
"""
