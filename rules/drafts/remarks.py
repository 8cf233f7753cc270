"""Remarks of the checklist of a draft, and the wishes that it is compared with."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from rules.drafts.draft import DraftMatch, Fixed
from rules.results import PlayerId
from rules.stages.base import Pairs
from rules.wording import Sentence


class Weight(StrEnum):
    """Severity of a remark; a fault blocks publishing."""

    FAULT = "fault"
    WARNING = "warning"
    NOTE = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """One entry of the checklist; ``match`` is the number of the match concerned, if any."""

    code: str
    weight: Weight
    players: tuple[PlayerId, ...]
    sentence: Sentence
    match: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingWishes:
    """The organiser's settings: pairs kept apart, clubs of players, fixed tables.

    ``not_seen`` are players who were not marked as present where others were.
    """

    apart: Pairs = frozenset()
    clubs: Mapping[PlayerId, str]
    fixed: Fixed
    not_seen: frozenset[PlayerId] = frozenset()


def remark_on(
    match: DraftMatch,
    code: str,
    weight: Weight,
    sentence: Sentence,
    players: Iterable[PlayerId] | None = None,
) -> Remark:
    """Return a remark on a match; on all its players unless some are named."""
    return Remark(
        code=code,
        weight=weight,
        players=match.seats if players is None else tuple(players),
        sentence=sentence,
        match=match.number,
    )
