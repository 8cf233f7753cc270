"""House formats: copies of a format with an organiser's own numbers.

``services`` creates and changes them (the slug is ``base_name``) and locks one when an event starts
with it. What may be changed is defined in ``rules.deckbuilding.house``.
"""
