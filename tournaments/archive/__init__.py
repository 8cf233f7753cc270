"""A whole event as one JSON file, out and in again, byte for byte the same.

Rows keep their tables and columns; in place of database keys stands the number of the row in its
table, from 1. People go by e-mail address. Left out are what belongs to nobody but a player
(drafts of lists), to this installation (API tokens, the card catalogue), and uploaded files,
whose text is kept.
"""
