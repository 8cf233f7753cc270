"""The log of an event: one line for each write, in a chain of hashes.

A service calls ``services.lock_event`` first and ``services.record`` last; the line's number is the
event's new version, and the line commits to the rows written since the one before
(``tournaments.chain``). The page that shows the lines is ``tournaments.log_page``.
"""
