"""Bracket structures, independent of players: ``single``, ``double`` elimination, ``seeding``."""
