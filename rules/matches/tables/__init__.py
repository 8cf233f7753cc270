"""Results of matches of three to five: the functions of ``rules.matches`` for tables.

``settling`` turns what is claimed into what is stored, ``shorthand`` reads what is typed at the
desk. ``rules.matches.settling`` and ``shorthand`` lead here by the size of the match.

Source: tables, 3, 7, 8 and 10.
"""
