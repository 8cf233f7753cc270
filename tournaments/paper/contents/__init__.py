"""The content of each sheet, as plain data in the reader's language.

``rounds`` has what all sheets say (head, foot, players' names), pairings, slips and results by
hand, ``tables`` standings, brackets, seats, deck checks, links and the poster.
"""
