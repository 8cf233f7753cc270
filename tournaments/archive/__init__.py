"""A whole event as one JSON file, out and in again, byte for byte the same.

Rows keep their tables and columns; in place of database keys stands the number of the row in its
table, from 1. People are names: no archive says anything of accounts, and none that is read gets
or takes any right here. What an event does not own (its house format, formula and card lists)
comes in as rows of their own that hold for that event alone. Left out are what belongs to nobody
but a player (drafts of lists), to this installation (accounts, roles, API tokens, the card
catalogue), and uploaded files, whose text is kept.

``out.document`` is the same with accounts by key: what this installation keeps for itself, as in
snapshots. ``outward`` makes an archive of it.
"""
