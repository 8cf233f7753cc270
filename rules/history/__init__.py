"""Results of a group as lists by seat, from which criteria compute their values.

``group_history.History`` is the interface; the module collects the results and reads them
one by one or in columns, without an object for each match.
"""
