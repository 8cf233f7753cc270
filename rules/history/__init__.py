"""Results of a group as lists by seat, from which criteria compute their values.

``group_history.History`` is the interface; ``seats`` collects the results.
"""
