"""The tiles of the match panel: each is one whole result, so that no two of them contradict."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from rules.errors import BadInput
from rules.matches.match_rules import Claim, MatchRules, presets
from rules.matches.settling import settle
from rules.results import SEAT_WINNERS, EndedBy, Outcome, Points, Winner
from tournaments.core.mapping import report_of
from tournaments.matches.words import SWAPPED, with_names

OTHER = "other"
"""The pick that leaves the result to the fields."""
_ENDINGS = {
    "absent": EndedBy.NO_SHOW,
    "concedes": EndedBy.CONCESSION,
    "warriors": EndedBy.NO_WARRIORS,
}
WITH_REASON = ("both", "wins_a", "wins_b", "void")
"""Picks that are decisions of the staff and need a reason."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A tile: ``value`` as the form sends it, its label, and in words the result to store.

    ``worth`` says what both get in the standings, "" in a knock-out.
    """

    value: str
    words: str
    says: str
    worth: str = ""
    icon: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiles:
    """The tiles of a match. ``rare`` ones are folded away."""

    a: tuple[Tile, ...]
    b: tuple[Tile, ...]
    draws: tuple[Tile, ...]
    unplayed: tuple[Tile, ...]
    rare: tuple[Tile, ...]


def claim_of(pick: str, rules: MatchRules, note: str) -> Claim:
    """Return the claimed result of a tile's value. Raises BadInput ``impossible_result``."""
    for preset in presets(rules):
        if preset.key == pick:
            return replace(preset.claim, note=note, by_staff=True)
    kind, _sep, side = pick.partition("_")
    if kind in _ENDINGS and side in SEAT_WINNERS:
        ended = Claim(winner=SWAPPED[Winner(side)], ended_by=_ENDINGS[kind])
        return replace(ended, note=note, by_staff=True)
    struck = {"absent_both": Winner.NONE, "both": Winner.NONE, "void": Winner.VOID}
    if pick in struck:
        return Claim(winner=struck[pick], note=note, by_staff=True)
    if kind == "wins" and side in SEAT_WINNERS:
        return Claim(winner=Winner(side), note=note, by_staff=True)
    raise BadInput(
        "impossible_result", "There is no such result. Nothing was stored: choose one of the tiles."
    )


def absent_sides(pick: str) -> str:
    """Return the sides that a tile's value calls absent: "a", "b", "ab" or none."""
    return {"absent_a": "a", "absent_b": "b", "absent_both": "ab"}.get(pick, "")


@dataclass(frozen=True, slots=True, kw_only=True)
class _TileBuilder:
    """Makes the tiles of one match; ``names`` are its players, a first, ``points`` the event's."""

    rules: MatchRules
    names: tuple[str, str]
    points: Points

    def tile(self, pick: str, words: str, icon: str = "") -> Tile:
        """Return the tile of a pick, with the result that it would store in words."""
        outcome = settle(self.rules, claim_of(pick, self.rules, "-"))
        says = with_names(report_of(outcome), *self.names)
        return Tile(
            value=pick, words=words, says=says, worth=self._points_in_words(outcome), icon=icon
        )

    def _points_in_words(self, outcome: Outcome) -> str:
        if not self.rules.draws or outcome.winner is Winner.VOID:
            return ""
        first, second = self.points.by_winner[outcome.winner]
        values = {"a": self.names[0], "b": self.names[1], "first": first, "second": second}
        return _("Points: %(a)s %(first)s, %(b)s %(second)s") % values


def tiles_of(rules: MatchRules, a: str, b: str, points: Points | None = None) -> Tiles:
    """Return the tiles of a match between two players, each player's own figures first."""
    builder = _TileBuilder(rules=rules, names=(a, b), points=points or Points())
    short = _first_names(a, b)
    wins: dict[str, list[Tile]] = {"a": [], "b": [], "": []}
    for preset in presets(rules):
        first, second, *drawn = preset.key.split("-")
        lead = int(first) - int(second)
        figures = "–".join((second, first) if lead < 0 else (first, second))
        words = "–".join((figures, *drawn))
        side = "a" if lead > 0 else "b" if lead < 0 else ""
        if not side:
            words = _("Draw %(score)s") % {"score": words}
        wins[side].append(builder.tile(preset.key, words))
    return Tiles(
        a=tuple(wins["a"]),
        b=tuple(wins["b"]),
        draws=tuple(wins[""]),
        unplayed=tuple(_unplayed_tiles(builder, short)),
        rare=tuple(_rare_tiles(builder, short)),
    )


def _unplayed_tiles(builder: _TileBuilder, short: tuple[str, str]) -> Iterator[Tile]:
    for value, words, icon in (
        ("absent_a", _("%(name)s is absent") % {"name": short[0]}, "user-x"),
        ("absent_b", _("%(name)s is absent") % {"name": short[1]}, "user-x"),
        ("concedes_a", _("%(name)s concedes") % {"name": short[0]}, "flag"),
        ("concedes_b", _("%(name)s concedes") % {"name": short[1]}, "flag"),
        ("absent_both", _("Both absent"), ""),
        ("both", _("Both lose …"), ""),
    ):
        yield builder.tile(value, words, icon)


def _rare_tiles(builder: _TileBuilder, short: tuple[str, str]) -> Iterator[Tile]:
    found = [
        ("wins_a", _("%(name)s wins by decision") % {"name": short[0]}),
        ("wins_b", _("%(name)s wins by decision") % {"name": short[1]}),
    ]
    if builder.rules.score == "promotion":
        found += [
            ("warriors_a", _("%(name)s has no warriors") % {"name": short[0]}),
            ("warriors_b", _("%(name)s has no warriors") % {"name": short[1]}),
        ]
    if builder.rules.draws:
        found += [("void", _("Counts for nothing …"))]
    for value, words in found:
        yield builder.tile(value, words)


def _first_names(a: str, b: str) -> tuple[str, str]:
    """Return the first names where they differ, else the whole ones."""
    first, second = a.partition(" ")[0], b.partition(" ")[0]
    return (first, second) if first.casefold() != second.casefold() else (a, b)
