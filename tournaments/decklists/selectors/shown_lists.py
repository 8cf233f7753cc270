"""Decklists shown to players and the public, printable sheets, Leaders beside names, and what was
played: decks, cards and how they did."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from django.utils.translation import gettext as _

from config.wording import translate
from decks.decklists.selectors import deck_of
from decks.decklists.sheets import Sheet, sheet_of
from decks.rulebook import deck_format
from decks.writers import WRITERS
from rules.deckbuilding.checks.genus import genus_label
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.statistics import (
    LEADER,
    Archetype,
    Record,
    UseCount,
    archetype_of,
    card_uses,
    cards_of,
    expansion_uses,
    kind_uses,
    records,
    records_between,
)
from rules.results import PlayerId, Result
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.facts_cache import read_departures, read_marks
from tournaments.core.labels import round_of_match
from tournaments.core.names import by_surname, marks_in, marks_of, tell_apart
from tournaments.core.rows import AnyMatch
from tournaments.core.visibility import Sight, has_leaders, leader_names, public_leaders, who_played
from tournaments.models import Entry, Event
from tournaments.standings.selectors.ranking import ranking_page


@dataclass(frozen=True, slots=True, kw_only=True)
class ListsPage:
    """The lists that the reader may open as (entry, Leader if any), sorted by player's name."""

    rows: tuple[tuple[Entry, str], ...]
    has_leaders: bool


def lists_page(event: Event, sight: Sight) -> ListsPage:
    """Return the lists within a reader's ``Sight``; two queries."""
    leaders = has_leaders(event)
    handed_in = event.entries.filter(submission__isnull=False).order_by("number")
    names = leader_names(event) if leaders else {}
    tell_apart(handed_in, read_marks(event))
    rows = tuple(
        (entry, names.get(entry.pk, ""))
        for entry in sorted(handed_in, key=by_surname)
        if sight.reads(entry)
    )
    return ListsPage(rows=rows, has_leaders=leaders)


def entry_with_list(event: Event, number: int) -> Entry | None:
    """Return an entry of the event with its current list, else None; at most two queries."""
    entry = event.entries.filter(number=number).select_related("submission__decklist").first()
    if entry is not None:
        entry.event = event
        tell_apart((entry,), read_marks(event))
    return entry


def file_kinds() -> tuple[tuple[str, str], ...]:
    return tuple((writer.key, translate(writer.label)) for writer in WRITERS)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerLine:
    """A player on the players' page: the Leader if shown, and whether the list may be opened."""

    entry: Entry
    leader: str
    has_list: bool

    @property
    def players(self) -> tuple[Entry, ...]:
        """Return the players of the row."""
        return (self.entry,)

    @property
    def mark(self) -> str:
        """Return the word for the row in links to parts of the list."""
        return self.entry.name[:6].rstrip()


def player_lines(event: Event, sight: Sight) -> tuple[PlayerLine, ...]:
    """Return all entries, sorted by name; at most five queries, and those of the facts."""
    leaders = public_leaders(event)
    entries = tuple(event.entries.order_by("number"))
    read_departures(event, tell_apart(entries, marks_of(entries)))
    return tuple(
        PlayerLine(
            entry=entry,
            leader=leaders.get(entry.pk, ""),
            has_list=entry.submission_id is not None and sight.reads(entry),
        )
        for entry in sorted(entries, key=by_surname)
    )


def sheets_of(event: Event) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    """Return all sheets by player's number, and the entries without a list; one or two queries."""
    entries = event.entries.playing().select_related("submission__decklist").order_by("number")
    return _sheets_and_missing(event, entries)


def sheets_of_entry(event: Event, number: int) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    """Return one player's sheet, or their entry if there is no list, as :func:`sheets_of` does.

    Also for somebody who plays no more; both are empty without such a player."""
    entries = event.entries.filter(number=number).select_related("submission__decklist")
    return _sheets_and_missing(event, entries)


def _sheets_and_missing(
    event: Event, entries: Iterable[Entry]
) -> tuple[tuple[Sheet, ...], tuple[Entry, ...]]:
    shape = deck_format(event.format_key)
    found = tell_apart(tuple(entries), marks_in(event))
    sheets = tuple(
        sheet_of(
            entry.submission.decklist,
            shape,
            event=event.name,
            player=entry.display_name,
            number=entry.number,
            handed_in=entry.submission.submitted_at,
            time_zone=event.time_zone,
        )
        for entry in found
        if entry.submission is not None
    )
    return sheets, tuple(entry for entry in found if entry.submission is None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A segment of a stacked bar of 100, and its label."""

    kind: str
    x: str
    width: str


def per_cent(share: Fraction) -> str:
    return f"{round(share * 100)}\u00a0%"


def percentage(share: Fraction) -> str:
    """Return a percentage with a decimal point, for a drawing."""
    return f"{float(share * 100):.2f}".rstrip("0").rstrip(".")


def parts_of(record: Record) -> tuple[Part, ...]:
    """Return the bar of matches won, drawn and lost; empty without a match."""
    parts, x = [], Fraction(0)
    for kind in ("won", "drawn", "lost"):
        width = Fraction(getattr(record, kind), record.played or 1)
        if width:
            parts.append(Part(kind=kind, x=percentage(x), width=percentage(width)))
        x += width
    return tuple(parts)


MOST_ROWS = 16
MOST_COMPARED = 8
MOST_TILES = 16
FEW_LISTS = 30
"""With fewer lists the page says that its shares describe this event alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A cell of the matrix: what the row's decks did against the column's.

    ``tone`` is ``ahead``, ``behind``, ``level``, ``none`` (they never met) or ``self``.
    """

    tone: str
    words: str
    sign: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """The field by kinds of deck, the most played first; ``more`` of them are not shown.

    ``label`` is the game's own word for such a kind, ``cut`` the label of the stage after the cut
    (empty without one), ``of_cut`` the number of known lists in it.
    """

    label: str
    lists: int
    few: bool
    cut: str
    of_cut: int
    rows: tuple[dict[str, Any], ...]
    more: int
    matrix: tuple[dict[str, Any], ...]


def field_of(facts: EventFacts, decks: Mapping[PlayerId, Deck], shape: DeckFormat) -> Field | None:
    """Return the field of an event; None in a game without a word for kinds of decks. No query."""
    known = {player: archetype_of(deck, shape.zone_keys) for player, deck in decks.items()}
    held = {player: found for player, found in known.items() if found is not None}
    if not held:
        return None
    keys = {player: found.key for player, found in held.items()}
    names = _archetype_names(held.values())
    counts = Counter(keys.values())
    order = sorted(counts, key=lambda key: (-counts[key], names[key], key))
    met = records_between(keys, results_of(facts))
    cut = _stage_after_cut(facts)
    through = Counter(key for player, key in keys.items() if cut and player in cut.state.players)
    label = _("Leader") if LEADER in shape.zone_keys else _("Genus")
    return Field(
        label=label,
        lists=len(held),
        few=len(held) < FEW_LISTS,
        cut=translate(cut.plan.label) if cut else "",
        of_cut=through.total(),
        rows=tuple(
            _archetype_row(
                names[key],
                counts[key],
                len(held),
                through[key],
                through.total(),
                _record_against_others(met, key),
            )
            for key in order[:MOST_ROWS]
        ),
        more=max(0, len(order) - MOST_ROWS),
        matrix=_matrix_rows(order[:MOST_COMPARED], names, met),
    )


def _archetype_names(found: Iterable[Archetype]) -> dict[str, str]:
    """Return the name of each kind of deck by its key: as most write it, translated if known."""
    spelt: dict[str, Counter[str]] = {}
    for each in found:
        label = genus_label(each.name) if each.by != LEADER else each.name
        words = translate(label) if isinstance(label, Sentence) else label
        spelt.setdefault(each.key, Counter())[words] += 1
    return {key: min(names, key=lambda name: (-names[name], name)) for key, names in spelt.items()}


def results_of(facts: EventFacts) -> Iterator[Result]:
    """Return the results of all rounds of an event."""
    return (
        result
        for stage in facts.stages
        for played in stage.state.rounds
        for _pairing, result in played
    )


def _stage_after_cut(facts: EventFacts) -> StageFacts | None:
    """Return the first stage that only some players of the first stage reached."""
    if not facts.stages:
        return None
    everybody = len(set(facts.stages[0].state.players))
    later = [stage for stage in facts.stages[1:] if stage.rounds]
    return next((each for each in later if 0 < len(set(each.state.players)) < everybody), None)


def _record_against_others(met: Mapping[tuple[str, str], Record], key: str) -> Record:
    found = [record for (a, b), record in met.items() if a == key != b]
    return Record(
        won=sum(record.won for record in found),
        drawn=sum(record.drawn for record in found),
        lost=sum(record.lost for record in found),
    )


def _archetype_row(
    name: str, lists: int, of: int, through: int, of_cut: int, record: Record
) -> dict[str, Any]:
    """Return one kind of deck: its share of the field and of the cut, and how it did.

    ``tiles`` has one item a list, empty where they are too many to draw. ``through`` of ``lists``
    came through the cut; shares of it are empty in an event without one.
    """
    share, won = Fraction(lists, of), record.share_won
    of_those = Fraction(through, of_cut) if of_cut else None
    return {
        "name": name,
        "lists": lists,
        "tiles": "x" * lists if lists <= MOST_TILES else "",
        "share": per_cent(share),
        "bar": percentage(share),
        "through": through,
        "share_through": "" if of_those is None else per_cent(of_those),
        "bar_through": "" if of_those is None else percentage(of_those),
        "conversion": "" if of_those is None else per_cent(Fraction(through, lists)),
        "record": record,
        "won": "–" if won is None else per_cent(won),
        "parts": parts_of(record),
    }


def _matrix_rows(
    keys: list[str], names: Mapping[str, str], met: Mapping[tuple[str, str], Record]
) -> tuple[dict[str, Any], ...]:
    if len(keys) < 2:
        return ()
    return tuple(
        {
            "name": names[key],
            "cells": tuple(_matrix_cell(key == other, met.get((key, other))) for other in keys),
        }
        for key in keys
    )


SIGNS = {"ahead": "↑", "behind": "↓", "level": "="}


def _matrix_cell(is_self: bool, record: Record | None) -> Meeting:
    if is_self or record is None:
        return Meeting(tone="self" if is_self else "none", words="", sign="")
    lead = record.won - record.lost
    tone = "ahead" if lead > 0 else "behind" if lead < 0 else "level"
    figures = (record.won, record.lost, record.drawn)[: 3 if record.drawn else 2]
    return Meeting(tone=tone, words="–".join(map(str, figures)), sign=SIGNS[tone])


MOST_CARDS = 20
MOST_RECORDS = 10
MOST_FINALISTS = 8


def played_page(facts: EventFacts) -> dict[str, Any]:
    """Return statistics of the lists of all who played.

    Two queries besides those of the facts, one more for a house format.

    Check ``visibility.lists_published`` first.

    ``few``: too few for their shares to be representative. ``of_leaders``: decks are named by
    their Leader.

    ``field`` is None in a game without a word for kinds of decks; ``records`` of cards are then in
    its place.
    """
    shape = deck_format(facts.event.format_key)
    decks = _decks_by_player(facts)
    everybody = list(decks.values())
    of_leaders = LEADER in shape.zone_keys
    cards = card_uses(everybody, apart=(LEADER,))[:MOST_CARDS]
    field = field_of(facts, decks, shape)
    expansions = tuple(expansion_uses(everybody))
    total = sum(use.copies for use in card_uses(everybody))
    return {
        "lists": len(decks),
        "few": len(decks) < FEW_LISTS,
        "of_leaders": of_leaders,
        "field": field,
        "records": () if field else _record_rows(facts, decks, cards[:MOST_RECORDS]),
        "cards": tuple(_use_row(use, use.name, use.lists, len(decks)) for use in cards),
        "kinds": tuple(
            _use_row(use, _kind_label(shape, use), use.copies, total)
            for use in kind_uses(everybody, shape.kinds)
        ),
        "expansions": tuple(
            _use_row(use, use.name or _("not given"), use.copies, total)
            for use in (expansions if any(use.name for use in expansions) else ())
        ),
        "finalists": _finalist_rows(facts, decks, shape),
    }


def _decks_by_player(facts: EventFacts) -> dict[PlayerId, Deck]:
    heavy = ("raw", "text", "upload", "violations")
    listed = facts.event.entries.filter(submission__isnull=False)
    listed = listed.select_related("submission__decklist")
    played = who_played(facts.event)
    return {
        entry.number: deck_of(entry.submission.decklist)
        for entry in listed.defer(*(f"submission__decklist__{name}" for name in heavy))
        if entry.submission and entry.pk in played
    }


def _use_row(use: UseCount, name: str, part: int, total: int) -> dict[str, Any]:
    """A card or kind that was played; ``bar`` is its share in per cent, for CSS."""
    share = Fraction(part, total)
    return {
        "name": name,
        "lists": use.lists,
        "copies": use.copies,
        "share": per_cent(share),
        "bar": percentage(share),
    }


def _kind_label(shape: DeckFormat, use: UseCount) -> str:
    known = {kind.key: translate(kind.label) for kind in shape.kinds}
    return known.get(use.key) or use.name or _("not given")


def _record_rows(
    facts: EventFacts, decks: dict[PlayerId, Deck], uses: Sequence[UseCount]
) -> tuple[dict[str, Any], ...]:
    """Return the record of each card, the most played first; one in every deck has no matches."""
    held = {player: cards_of(deck) for player, deck in decks.items()}
    found = records(held, results_of(facts))
    rows = (_record_row(use, found.get(use.key, Record())) for use in uses)
    return tuple(row for row in rows if row["record"].played)


def _record_row(use: UseCount, record: Record) -> dict[str, Any]:
    share = record.share_won
    return {
        "name": use.name,
        "lists": use.lists,
        "record": record,
        "share": "–" if share is None else per_cent(share),
        "parts": parts_of(record),
    }


def _finalist_rows(
    facts: EventFacts, decks: dict[PlayerId, Deck], shape: DeckFormat
) -> tuple[dict[str, Any], ...]:
    reached = _stages_reached(facts)
    rows = [row for row in ranking_page(facts).rows if row.rank <= MOST_FINALISTS]
    return tuple(
        {
            "row": row,
            "reached": reached.get(row.entry.pk, ""),
            "played": _in_short(decks.get(row.entry.number), shape),
            "has_list": row.entry.number in decks,
        }
        for row in rows
    )


def _stages_reached(facts: EventFacts) -> dict[int, str]:
    """Return the label of the last stage (in a bracket: round) with a match, by key of entry."""
    reached: dict[int, str] = {}
    for stage in facts.stages:
        for match in stage.matches:
            words = _stage_label(stage, match)
            reached |= dict.fromkeys(match.seats, words)
    return reached


def _stage_label(stage: StageFacts, match: AnyMatch) -> str:
    item = next(each for each in stage.rounds if each.pk == match.round_id)
    label = translate(stage.plan.label)
    labels = (label, round_of_match(stage, item, match) if stage.kind.has_bracket else label)
    return " – ".join(dict.fromkeys(labels))


def _in_short(deck: Deck | None, shape: DeckFormat) -> str:
    """Return a deck's Leader; in games without Leaders, the counts of its kinds."""
    if deck is None:
        return ""
    if LEADER in shape.zone_keys:
        return ", ".join(entry.name for entry in deck.zone(LEADER))
    kinds = kind_uses([deck], shape.kinds)
    return " · ".join(f"{_kind_label(shape, use)} {use.copies}" for use in kinds)
