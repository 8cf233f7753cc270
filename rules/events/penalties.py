"""Penalties: what is proposed for a player who has been penalised before.

A proposal, never a ruling: the judge reads the player's penalties and decides. Whoever did the
same again, or gets a penalty that they had already, is proposed the next one up.

Tournament rules, Roles; Girone's decision: no rule book names the steps.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from rules.names import name_key

LADDER = ("caution", "warning", "game_loss", "match_loss", "disqualification")
"""From the mildest to the gravest."""


@dataclass(frozen=True, slots=True)
class Past:
    """A penalty that the player has: its level, and the words for what happened."""

    level: str
    infraction: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """The level to give instead, and the places in the player's penalties that say why."""

    level: str
    because: tuple[int, ...]
    same_infraction: bool


def proposed(
    past: Sequence[Past], level: str, infraction: str, *, highest: str = LADDER[-1]
) -> Proposal | None:
    """Return what to give instead of a level, None where nothing speaks for more.

    The same words again ask for one step above the gravest penalty given for them; else the same
    level again for one step above it. ``highest`` is the most that the judge may give.
    """
    again = [at for at, one in enumerate(past) if _same(one.infraction, infraction)]
    level_again = [at for at, one in enumerate(past) if one.level == level]
    steps = []
    if again:
        gravest = max(LADDER.index(past[at].level) for at in again)
        steps.append((gravest + 1, tuple(again), True))
    if level_again:
        steps.append((LADDER.index(level) + 1, tuple(level_again), False))
    if not steps:
        return None
    wanted, because, same = max(steps, key=lambda step: step[0])
    wanted = min(wanted, LADDER.index(highest))
    if wanted <= LADDER.index(level):
        return None
    return Proposal(level=LADDER[wanted], because=because, same_infraction=same)


def _same(one: str, other: str) -> bool:
    """Say whether two penalties were given for the same, by the words alone."""
    key = _key(one)
    return bool(key) and key == _key(other)


def _key(words: str) -> str:
    return name_key(words).strip(" .,;:!?")
