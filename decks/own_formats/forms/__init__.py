"""The form of the rules of a game of one's own.

``rules`` is the form, ``rows`` its rows of zones, sums and kinds, ``written`` what it takes as
lines of text.
"""
