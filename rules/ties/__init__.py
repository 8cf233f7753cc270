"""Ties: how level players are separated when criteria do not.

``decisions`` applies lots (``draws``) and extra matches (``extra_matches``) to standings;
``positions`` finds ties that matter; ``trace`` explains each rank.
"""
