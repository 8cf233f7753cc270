"""The parts of ``check_transcript.py``: plain Python, the standard library, nothing of Girone.

``verdicts`` collects what was found, ``chain`` reads the log, ``record`` folds its rows, ``draws``
computes draws, ``group`` and ``ranking`` rank players, ``brackets`` and ``bracket_play`` follow
knock-outs, ``stages`` and ``final`` compute seats, places and the final ranking. ``statuses`` and
``reports`` hold statuses against rows, ``pairings`` and ``swiss`` compute Swiss rounds, ``laws``
judges lines by ``law_table``, with what ``past`` keeps of the lines before. Of tables of three to
five ``table_results`` has places and points, ``table_group`` the criteria, ``table_cut`` the
knock-out, ``tables`` and ``table_field`` the rounds.
"""
