"""The rules of a format as data.

Source: contracts, Formats of one's own.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from rules.criteria import CRITERIA
from rules.deckbuilding.catalogue import Notation
from rules.deckbuilding.formats import (
    Check,
    DeckFormat,
    Exchange,
    FormatEmblem,
    GameStandings,
    MatchDefaults,
)
from rules.deckbuilding.zones import CardKind, Zone
from rules.numbers import format_points
from rules.wording import Sentence
from rules.wording import gettext_noop as _

NO_CARD_LISTS: Mapping[str, tuple[str, ...]] = {}


class CopyIdentity(StrEnum):
    """The identity by which copies of a card are counted together."""

    NAME = "name"
    NUMBER = "number"
    NAME_AND_VERSION = "name_and_version"


@dataclass(frozen=True, slots=True, kw_only=True)
class CopyRule:
    """The maximum number of copies of a card, None for any number.

    ``by`` says which cards count as the same. ``each``: the maximum is for each zone separately.
    ``unlimited`` cards (names) have no maximum, those in ``own`` (by name) one of their own.
    """

    most: int | None = None
    by: CopyIdentity = CopyIdentity.NAME
    each: bool = False
    unlimited: tuple[str, ...] = ()
    own: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class KindCountRule:
    """The least and most cards of a kind, over all zones that allow it together."""

    kind: CardKind
    least: int = 0
    most: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneSumRule:
    """The least and most cards that some zones (by key) hold together."""

    zones: tuple[str, ...]
    least: int = 0
    most: int | None = None


@dataclass(frozen=True, kw_only=True)
class FormatRules:
    """All rules of a format; only ``zones`` are required.

    ``excluded_together`` are pairs of cards that a deck must not combine, ``card_lists`` names of
    cards by list (banned, limited, semi_limited). ``legal_in`` names the format of the catalogue's
    legality. ``not_checked`` describes what these rules leave out.

    The fields from ``checks`` on are for shipped formats alone: named checks instead of those that
    follow from the fields above, the side zone and how it is exchanged between games, and messages
    of ``DeckFormat``.
    """

    zones: tuple[Zone, ...]
    copies: CopyRule = CopyRule()
    kinds: tuple[KindCountRule, ...] = ()
    sums: tuple[ZoneSumRule, ...] = ()
    excluded_together: tuple[tuple[str, str], ...] = ()
    card_lists: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: NO_CARD_LISTS)
    legal_in: str | None = None
    not_checked: tuple[str, ...] = ()
    match: MatchDefaults = field(default_factory=MatchDefaults)
    standings: GameStandings = field(default_factory=GameStandings)
    look: FormatEmblem = field(default_factory=FormatEmblem)
    notation: Notation = field(default_factory=Notation)
    checks: tuple[Check, ...] = ()
    side: str | None = None
    exchange: Exchange = field(default_factory=Exchange)
    notes: tuple[Sentence, ...] = ()
    decisions: tuple[Sentence, ...] = ()
    deck_check: tuple[Sentence, ...] = ()


SHARES_OF_MATCHES = {"opponents_match_win", "opponents_opponents_match_win"}
SHARES_OF_GAMES = {"game_win", "opponents_game_win"}


def rule_messages(shape: DeckFormat) -> Iterator[Sentence]:
    """Yield a format's rules as messages: deck construction, matches, then standings."""
    yield from shape.describe()
    yield from _match_words(shape.match)
    if shape.standings is not None:
        yield from _standings_words(shape.standings)


def _fact(label: str, value: object) -> Sentence:
    return Sentence("%(label)s: %(count)s", {"label": Sentence(label), "count": value})


def _match_words(match: MatchDefaults) -> Iterator[Sentence]:
    if match.best_of > 1 or match.final_best_of != match.best_of:
        yield _fact(_("Best of"), match.best_of)
    if match.final_best_of != match.best_of:
        yield _fact(_("Best of (final)"), match.final_best_of)
    elif match.best_of > 1:
        pass
    elif match.target is not None:
        yield _fact(_("Points needed to win"), match.target)
    elif match.score == "points":
        yield _fact(_("Result format"), Sentence("Points, such as 40–22"))
    if match.minutes is not None:
        yield _fact(_("Minutes per round"), match.minutes)
    yield Sentence(_("Matches can be drawn") if match.draws else _("No drawn matches"))


def _standings_words(standings: GameStandings) -> Iterator[Sentence]:
    win, draw, loss = map(format_points, standings.points)
    yield Sentence(
        "Points: win %(win)s, draw %(draw)s, loss %(loss)s.",
        {"win": win, "draw": draw, "loss": loss},
    )
    criteria = [CRITERIA.get(key) for key in standings.criteria]
    yield _fact(_("Standings"), tuple(one.label for one in criteria))
    if any(one.percentage for one in criteria):
        yield _fact(_("Opponents’ minimum percentage"), standings.floor)
        yield _fact(_("A draw counts"), standings.draw_share)
    keys = {one.key for one in criteria}
    if standings.byes_left_out and keys & SHARES_OF_MATCHES:
        yield Sentence("Byes don’t count towards win percentages")
    if standings.dropped_cap is not None and keys & SHARES_OF_MATCHES:
        yield _fact(_("Maximum win percentage of dropped players"), standings.dropped_cap)
    if standings.bye_games and keys & SHARES_OF_GAMES:
        yield _fact(_("Game wins awarded for a bye"), standings.bye_games)
