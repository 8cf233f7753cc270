"""Drafts of rounds: checks before publishing, and edits by hand.

``draft`` holds the matches of a draft and the possible edits, ``check`` the remarks shown to staff
before a round is published.
"""
