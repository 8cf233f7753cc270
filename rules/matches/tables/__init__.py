"""Results of matches of three to five: the functions of ``rules.matches`` for tables.

Source: tables, 3, 7, 8 and 10. ``settling`` turns what is claimed into what is
stored, ``shorthand`` reads what is typed at the desk, ``agreement`` compares reports and a
stored result with itself, ``quorum`` says what the reports of the players decide together.
``rules.matches.settling``, ``shorthand`` and ``agreement`` lead here by the size of the match.
"""
