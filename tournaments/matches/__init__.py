"""A match with its reports: found, locked, added to, and its result said in words.

`selectors` finds a match of an event and makes its page with all its reports, `services` has what
every write on a match shares (the lock, a report more, its line in the log, the refusal of a stale
page) and what the players of a multiplayer table come to, `words` says results as text. Which
reports are accepted, and what they decide, is for `tournaments.results`.
"""
