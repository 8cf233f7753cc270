"""Penalties: what they are given for most often, and a proposal for who was penalised before.

A proposal, not a ruling: the judge reads the player's penalties and decides. A repeated
infraction or a penalty of a level already given leads to the next higher level. Each infraction
has the step that is usual the first time; its label is what players read.

Source: tournament rules, Roles; Girone's decision: no rule book names the steps, and a judge may
always choose another one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.names import name_key

LADDER = ("caution", "warning", "game_loss", "match_loss", "disqualification")
"""Levels from the mildest to the most severe."""


@dataclass(frozen=True, slots=True)
class PastPenalty:
    """An earlier penalty of the player: its level, and its infraction as text.

    Levels are those of ``LADDER``, such as "warning".
    """

    level: str
    infraction: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PenaltyProposal:
    """A proposal to give a more severe penalty than the one chosen.

    ``level`` is the proposed one; ``because`` are the indexes of the player's earlier penalties
    that justify it; ``same_infraction``: they were for the same infraction.
    """

    level: str
    because: tuple[int, ...]
    same_infraction: bool


def propose_upgrade(
    past: Sequence[PastPenalty], level: str, infraction: str, *, highest: str = LADDER[-1]
) -> PenaltyProposal | None:
    """Return a proposal for a more severe level, None if no earlier penalty justifies one.

    ``past`` are the player's earlier penalties, ``level`` and ``infraction`` the new one. The same
    infraction leads to one level above the most severe penalty given for it; else a repeated level
    leads to the next one. ``highest`` is the most severe that the judge may give.
    """
    again = [at for at, one in enumerate(past) if _is_same_infraction(one.infraction, infraction)]
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
    return PenaltyProposal(level=LADDER[wanted], because=because, same_infraction=same)


def _is_same_infraction(one: str, other: str) -> bool:
    """Return whether two penalties are for the same infraction, by comparing words."""
    key = _key(one)
    return bool(key) and key == _key(other)


def _key(words: str) -> str:
    return name_key(words).strip(" .,;:!?")


@dataclass(frozen=True, slots=True)
class Infraction:
    """A common infraction: its key, its label, and the usual level for the first time.

    ``of_decks``: it exists only where players bring decks.
    """

    key: str
    label: str
    level: str
    of_decks: bool = False


INFRACTIONS = (
    Infraction("late", "Lateness", "caution"),
    Infraction("play_error", "Error of play", "caution"),
    Infraction("slow_play", "Slow play", "caution"),
    Infraction("deck", "Decklist or deck", "warning", of_decks=True),
    Infraction("marked", "Marked cards", "warning", of_decks=True),
    Infraction("conduct", "Behaviour", "warning"),
)


def propose_level(
    past: Sequence[PastPenalty], infraction: Infraction, *, words: str, highest: str = LADDER[-1]
) -> str:
    """Return the penalty level to propose for an infraction.

    ``past`` are the player's earlier penalties, ``words`` is the infraction as it will be stored,
    ``highest`` the most severe level that the judge may give.
    """
    graver = propose_upgrade(past, infraction.level, words, highest=highest)
    return graver.level if graver else infraction.level


def translate_infractions(
    past: Sequence[PastPenalty], known: Mapping[str, str]
) -> tuple[PastPenalty, ...]:
    """Return the penalties with common infractions in the reader's language.

    ``known`` maps the labels of infractions in every language to the reader's.
    """
    return tuple(PastPenalty(one.level, known.get(one.infraction, one.infraction)) for one in past)
