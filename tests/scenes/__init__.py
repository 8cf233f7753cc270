"""The situation before each act that can be undone, and the act itself.

A scene is an event and a function that performs the act; ``SCENES`` has one for each kind of act.
"""

from tests.scenes import corrections, events, judging, players, rounds
from tests.scenes.base import SCENES

__all__ = ["SCENES", "corrections", "events", "judging", "players", "rounds"]
