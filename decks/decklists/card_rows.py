"""The cards of a list in rows: by zone and kind, with their faults and what changes their count."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext as _

from decks.labels import zone_label
from rules.deckbuilding.catalogue import CardCatalogue
from rules.deckbuilding.deck import HIGHEST_COUNT, Deck, DeckEntry, Violation
from rules.deckbuilding.edits import can_replace_count
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.render import sort_deck
from rules.names import card_key, name_key


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRow:
    """A line of a decklist for display; ``mark`` is its error in a few words, else "".

    ``less`` and ``more`` are the values of the buttons that change its count by one; "" if the line
    can't be changed that way.
    """

    entry: DeckEntry
    mark: str = ""
    less: str = ""
    more: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindRows:
    """The cards of one kind in a zone; ``kind`` is as written, or ""."""

    kind: str
    size: int
    rows: tuple[CardRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneRows:
    """The cards of a zone in a judge's order: as ``entries``, and grouped by kind."""

    key: str
    label: str
    size: int
    entries: tuple[DeckEntry, ...]
    kinds: tuple[KindRows, ...]


def edit_button_value(**order: object) -> str:
    """Return the JSON value of a button beside a decklist, which ``apply_edit`` applies.

    Keys: ``line`` with ``card`` and ``count`` or ``becomes``, or with ``was`` and ``becomes``;
    ``ones`` writes 1 before each line without a number; ``parts`` are the zones of the list's
    parts.
    """
    return json.dumps(order, ensure_ascii=False)


def zone_rows(
    deck: Deck,
    violations: Collection[Violation],
    shape: DeckFormat,
    *,
    catalogue: CardCatalogue | None = None,
    lines: Sequence[str] = (),
) -> tuple[ZoneRows, ...]:
    """Return the cards of each non-empty zone for display, in a judge's order; no query.

    catalogue: supplies kinds that are not written. lines: the text's lines, if counts may be
    changed.
    """
    marks = _Marks(violations)
    known = sort_deck(_with_kinds(deck, catalogue)) if catalogue is not None else sort_deck(deck)
    return tuple(
        ZoneRows(
            key=key,
            label=zone_label(key, shape),
            size=deck.size(key),
            entries=entries,
            kinds=tuple(_by_kind(entries, marks, lines)),
        )
        for key, entries in known.zones.items()
        if entries
    )


def short_error(violation: Violation) -> str:
    """Return a violation in a few words: "at most 3" for copies, else "Error"."""
    if violation.code in ("copies.too_many", "card.limited") and violation.maximum:
        return _("at most %(count)s") % {"count": violation.maximum}
    return _("Error")


class _Marks:
    """The errors of a list by their line, and by their card over all zones."""

    def __init__(self, violations: Collection[Violation]) -> None:
        errors = [one for one in violations if one.severity == "error"]
        self.lines = {one.line: short_error(one) for one in reversed(errors) if one.line}
        self.cards = {
            card_key(one.card): short_error(one)
            for one in reversed(errors)
            if one.card and (one.zone is None or one.line is None)
        }

    def of(self, entry: DeckEntry) -> str:
        return self.cards.get(entry.key) or self.lines.get(entry.line or 0, "")


def _with_kinds(deck: Deck, catalogue: CardCatalogue) -> Deck:
    def known(entry: DeckEntry) -> DeckEntry:
        facts = catalogue.get(entry.key)
        return entry.but(kind=facts.kind) if facts is not None and facts.kind else entry

    return Deck(zones={key: tuple(map(known, entries)) for key, entries in deck.zones.items()})


def _by_kind(
    entries: Sequence[DeckEntry], marks: _Marks, lines: Sequence[str]
) -> Iterator[KindRows]:
    for _key, found in groupby(entries, key=lambda entry: name_key(entry.kind)):
        same = tuple(found)
        yield KindRows(
            kind=same[0].kind,
            size=sum(entry.count for entry in same),
            rows=tuple(_row(entry, marks.of(entry), lines) for entry in same),
        )


def _row(entry: DeckEntry, mark: str, lines: Sequence[str]) -> CardRow:
    shown, at = entry.but(kind=""), entry.line
    if at is None or at > len(lines) or not can_replace_count(lines[at - 1], entry.name):
        return CardRow(entry=shown, mark=mark)
    less, more = (
        edit_button_value(line=at, card=entry.name, count=entry.count + step) for step in (-1, 1)
    )
    return CardRow(
        entry=shown, mark=mark, less=less, more=more if entry.count < HIGHEST_COUNT else ""
    )
