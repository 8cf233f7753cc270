"""A player's own page: the match in progress, reports to confirm, standing and decklist.

``selectors.player`` composes the page in thirteen queries: ``own_matches`` adds the matches with
their report buttons, ``upcoming_match`` the possible opponents in a bracket. Reports are stored
by ``tournaments.results``. The page polls ``me_now``, which answers 304 while nothing has
changed.
"""
