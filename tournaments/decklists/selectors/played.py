"""What was played in an event: kinds of decks, what beat what, the first eight, and the cards."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import chain, islice
from typing import Any

from django.utils.translation import gettext as _

from config.wording import translate
from decks.decklists.selectors import stored_deck
from decks.stored_formats import load_format
from rules.deckbuilding.checks.genus import genus_label
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.statistics import (
    LEADER,
    Archetype,
    Record,
    UseCount,
    card_keys,
    card_uses,
    expansion_uses,
    find_archetype,
    kind_uses,
    matchup_records,
    records_by_item,
)
from rules.results import PlayerId, Result
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.visibility import seated_entries
from tournaments.standings.selectors import ranking

FEW_LISTS = 12
"""With fewer lists the page shows counts, no percentages."""
FEW_MATCHES = 6
"""A pair that met less often has no colour and no percentage."""
MOST_KINDS = 6
"""Kinds of decks with a colour, in the bars and the matrix."""
MOST_ROWS = 16
MOST_CARDS = 20
MOST_RECORDS = 10
MOST_FINALISTS = 8
SHOWN_SIGN = Fraction(6, 100)
SHOWN_FIGURE = Fraction(11, 100)
"""From which share of a bar a segment has room for its letters, and for its figure."""
FAR_AHEAD, AHEAD = Fraction(4, 10), Fraction(2, 10)
"""From which lead (wins less losses, of all matches) a cell is coloured: 70 and 60 % without
draws."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchetypeRow:
    """An archetype (by Leader or genus) in an event, with its numbers for display.

    ``sign``: two letters; ``tone``: CSS class ``k1`` to ``k6``, ``k0`` for others. ``through``: how
    many of its ``lists`` reached the stage after the cut. ``share`` (of the field) and ``won`` are
    percentages, "" if there are few decklists.
    """

    name: str
    sign: str
    tone: str
    lists: int
    through: int
    share: str
    record: Record
    won: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BarSegment:
    """A segment of a bar that is 100 wide; ``kind`` is its CSS class.

    ``x``, ``width`` and ``middle`` are coordinates for SVG; ``sign`` and ``figure`` are "" without
    room.
    """

    kind: str
    x: str
    width: str
    middle: str = ""
    sign: str = ""
    figure: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class DeckShareBar:
    """A bar of the numbers of decklists by archetype.

    Of all players (label "") or of the stage after the cut.
    """

    label: str
    lists: int
    parts: tuple[BarSegment, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class MatchupCell:
    """A cell of the matchup matrix: results of the row's archetype against the column's.

    ``tone``: ``far-ahead``, ``ahead``, ``level``, ``behind``, ``far-behind``, ``few`` (matches),
    ``none`` or ``self``. ``words``: W–L or W–L–D; ``share``: percentage of matches won.
    """

    tone: str
    words: str = ""
    share: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Metagame:
    """The metagame of an event: its archetypes for display, the most played first.

    ``more`` archetypes are left out of ``kinds``. ``label``: the game's word for them. ``most``:
    the most played one, None if tied. ``matrix``: for each of the first archetypes its matchups.
    Properties ``others`` and ``of_others``: archetypes without a colour, and their decklists.
    """

    label: str
    lists: int
    kinds: tuple[ArchetypeRow, ...]
    more: int
    most: ArchetypeRow | None
    bars: tuple[DeckShareBar, ...]
    matrix: tuple[tuple[ArchetypeRow, tuple[MatchupCell, ...]], ...]
    by_player: Mapping[PlayerId, ArchetypeRow]

    @property
    def coloured(self) -> tuple[ArchetypeRow, ...]:
        """Return the kinds with a colour of their own."""
        return self.kinds[:MOST_KINDS]

    @property
    def others(self) -> int:
        """Return the number of kinds without a colour."""
        return max(0, len(self.kinds) - MOST_KINDS) + self.more

    @property
    def of_others(self) -> int:
        """Return the number of lists of the kinds without a colour."""
        return self.lists - sum(kind.lists for kind in self.coloured)

    @property
    def has_cut(self) -> bool:
        """Return whether there is a bar of a stage after the cut."""
        return len(self.bars) > 1


def percentage_text(share: Fraction | None, lists: int) -> str:
    """Return a fraction as "25 %", "" for None or with too few ``lists`` to be meaningful."""
    return "" if share is None or lists < FEW_LISTS else f"{round(share * 100)}\u00a0%"


def percentage(share: Fraction) -> str:
    """Return a fraction as a percentage for SVG, such as "12.5"."""
    return f"{float(share * 100):.2f}".rstrip("0").rstrip(".")


def deck_statistics_context(facts: EventFacts) -> dict[str, Any]:
    """Return the template context of the decklist statistics.

    At most three queries besides those of the facts. Call only if all decklists are public.
    ``field`` is None in games without archetypes, which have ``records`` of cards instead.
    ``winner``: the winner's archetype, None if unknown or several won.
    """
    shape = load_format(facts.event.format_key)
    decks = _decks_by_player(facts)
    everybody = list(decks.values())
    field = build_metagame(facts, decks, shape)
    cards = card_uses(everybody, apart=(LEADER,))[:MOST_CARDS]
    expansions = expansion_uses(everybody)
    total = sum(use.copies for use in card_uses(everybody))
    first = [row for row in ranking.ranking_page(facts).rows if row.rank == 1]
    return {
        "lists": len(decks),
        "field": field,
        "winner": field.by_player.get(first[0].entry.number) if field and len(first) == 1 else None,
        "records": () if field else _record_rows(facts, decks, cards[:MOST_RECORDS]),
        "cards": tuple(_use_row(use, use.name, use.lists, len(decks), len(decks)) for use in cards),
        "kinds": tuple(
            _use_row(use, _kind_label(shape, use), use.copies, total, len(decks))
            for use in kind_uses(everybody, shape.kinds)
        ),
        "expansions": tuple(
            _use_row(use, use.name or _("not given"), use.copies, total, len(decks))
            for use in (expansions if any(use.name for use in expansions) else ())
        ),
        "finalists": _finalist_rows(facts, decks, shape, field),
    }


def build_metagame(
    facts: EventFacts, decks: Mapping[PlayerId, Deck], shape: DeckFormat
) -> Metagame | None:
    """Return an event's metagame, None if no deck has an archetype; no query.

    ``decks``: by player number; ``shape``: the deck format, for its zones.
    """
    known = {player: find_archetype(deck, shape.zone_keys) for player, deck in decks.items()}
    held = {player: found for player, found in known.items() if found is not None}
    if not held:
        return None
    keys = {player: found.key for player, found in held.items()}
    names = _archetype_names(held.values())
    counts = Counter(keys.values())
    order = sorted(counts, key=lambda key: (-counts[key], names[key], key))
    met = matchup_records(keys, regular_results(facts))
    cut = _stage_after_cut(facts)
    through = Counter(key for player, key in keys.items() if cut and player in cut.state.players)
    signs = dict(zip(order, two_letter_signs([names[key] for key in order]), strict=True))
    kinds = {
        key: ArchetypeRow(
            name=names[key],
            sign=signs[key],
            tone=f"k{place}" if place <= MOST_KINDS else "k0",
            lists=counts[key],
            through=through[key],
            share=percentage_text(Fraction(counts[key], len(held)), len(held)),
            record=record,
            won=percentage_text(record.share_won, len(held)),
        )
        for place, key in enumerate(order, start=1)
        for record in (_record_against_others(met, key),)
    }
    bars = [
        DeckShareBar(label="", lists=len(held), parts=_segments(kinds.values(), counts.total()))
    ]
    if cut and through:
        parts = _segments(kinds.values(), through.total(), of_cut=True)
        bars.append(
            DeckShareBar(label=translate(cut.plan.label), lists=through.total(), parts=parts)
        )
    alone = len(order) == 1 or counts[order[0]] > counts[order[1]]
    return Metagame(
        label=_("Leader") if LEADER in shape.zone_keys else _("Genus"),
        lists=len(held),
        kinds=tuple(kinds[key] for key in order[:MOST_ROWS]),
        more=max(0, len(order) - MOST_ROWS),
        most=kinds[order[0]] if alone else None,
        bars=tuple(bars),
        matrix=_matrix_rows(order[:MOST_KINDS], kinds, met, len(held)),
        by_player={player: kinds[key] for player, key in keys.items()},
    )


def two_letter_signs(names: Sequence[str]) -> tuple[str, ...]:
    """Return a unique sign of two characters for each name.

    Its initials, else its first letter and another one, else its first letter and a number.
    """
    given: list[str] = []
    for name in names:
        letters = [letter for letter in name if letter.isalnum()] or ["?"]
        words = [word for word in name.split() if word[:1].isupper()]
        initials = "".join(word[0] for word in words[:2]) if len(words) > 1 else ""
        pairs = (letters[0] + letter for letter in letters[1:])
        numbered = (f"{letters[0]}{number}" for number in range(1, len(names) + 1))
        wanted = (sign.upper() for sign in chain([initials] if initials else [], pairs, numbered))
        given.append(next(sign for sign in wanted if sign not in given))
    return tuple(given)


def _archetype_names(found: Iterable[Archetype]) -> dict[str, str]:
    """Return the name of each kind of deck by its key: as most write it, translated if known."""
    spelt: dict[str, Counter[str]] = {}
    for each in found:
        label = genus_label(each.name) if each.by != LEADER else each.name
        words = translate(label) if isinstance(label, Sentence) else label
        spelt.setdefault(each.key, Counter())[words] += 1
    return {key: min(names, key=lambda name: (-names[name], name)) for key, names in spelt.items()}


def regular_results(facts: EventFacts) -> Iterator[Result]:
    """Return the results of all rounds of an event, tiebreaker rounds excepted."""
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


def _segments(
    kinds: Iterable[ArchetypeRow], of: int, *, of_cut: bool = False
) -> tuple[BarSegment, ...]:
    """Return a bar of all lists; kinds without a colour are one segment."""
    counts: dict[str, list[Any]] = {}
    for kind in kinds:
        found = counts.setdefault(kind.tone, ["" if kind.tone == "k0" else kind.sign, 0])
        found[1] += kind.through if of_cut else kind.lists
    parts, x = [], Fraction(0)
    for tone, (sign, count) in counts.items():
        share = Fraction(count, of)
        if count:
            parts.append(
                BarSegment(
                    kind=tone,
                    x=percentage(x),
                    width=percentage(share),
                    middle=percentage(x + share / 2),
                    sign=sign if share >= SHOWN_SIGN else "",
                    figure=(percentage_text(share, of) or str(count))
                    if share >= SHOWN_FIGURE
                    else "",
                )
            )
        x += share
    return tuple(parts)


def _matrix_rows(
    keys: list[str],
    kinds: Mapping[str, ArchetypeRow],
    met: Mapping[tuple[str, str], Record],
    lists: int,
) -> tuple[tuple[ArchetypeRow, tuple[MatchupCell, ...]], ...]:
    """Return a row for each kind; none if no two of them met."""
    if not any((a, b) in met for a in keys for b in keys if a != b):
        return ()
    return tuple(
        (
            kinds[key],
            tuple(_matrix_cell(key == other, met.get((key, other)), lists) for other in keys),
        )
        for key in keys
    )


def _matrix_cell(is_self: bool, record: Record | None, lists: int) -> MatchupCell:
    if is_self or record is None:
        return MatchupCell(tone="self" if is_self else "none")
    figures = (record.won, record.lost, record.drawn)[: 3 if record.drawn else 2]
    words = "–".join(map(str, figures))
    if record.played < FEW_MATCHES:
        return MatchupCell(tone="few", words=words)
    lead = Fraction(record.won - record.lost, record.played)
    tone = ("far-" if abs(lead) >= FAR_AHEAD else "") + ("ahead" if lead > 0 else "behind")
    return MatchupCell(
        tone=tone if abs(lead) >= AHEAD else "level",
        words=words,
        share=percentage_text(record.share_won, lists),
    )


def _decks_by_player(facts: EventFacts) -> dict[PlayerId, Deck]:
    heavy = ("raw", "text", "upload", "violations")
    listed = facts.event.entries.filter(submission__isnull=False)
    listed = listed.select_related("submission__decklist")
    played = seated_entries(facts.event)
    return {
        entry.number: stored_deck(entry.submission.decklist)
        for entry in listed.defer(*(f"submission__decklist__{name}" for name in heavy))
        if entry.submission and entry.pk in played
    }


def _use_row(use: UseCount, name: str, part: int, total: int, lists: int) -> dict[str, Any]:
    """Return a card or kind that was played; ``bar`` is its share in per cent, for a drawing."""
    share = Fraction(part, total)
    return {
        "name": name,
        "lists": use.lists,
        "copies": use.copies,
        "figure": percentage_text(share, lists) or part,
        "bar": percentage(share),
    }


def _kind_label(shape: DeckFormat, use: UseCount) -> str:
    known = {kind.key: translate(kind.label) for kind in shape.kinds}
    return known.get(use.key) or use.name or _("not given")


def _record_rows(
    facts: EventFacts, decks: dict[PlayerId, Deck], uses: Sequence[UseCount]
) -> tuple[dict[str, Any], ...]:
    """Return the record of each card, the most played first; one in every deck has no matches."""
    held = {player: card_keys(deck) for player, deck in decks.items()}
    found = records_by_item(held, regular_results(facts))
    rows = ((use, found.get(use.key, Record())) for use in uses)
    return tuple(
        {
            "name": use.name,
            "lists": use.lists,
            "record": record,
            "won": percentage_text(record.share_won, len(decks)),
            "parts": record_bar(record),
        }
        for use, record in rows
        if record.played
    )


def record_bar(record: Record) -> tuple[BarSegment, ...]:
    """Return the segments won, drawn and lost of a bar; empty without matches."""
    parts, x = [], Fraction(0)
    for kind in ("won", "drawn", "lost"):
        width = Fraction(getattr(record, kind), record.played or 1)
        if width:
            parts.append(BarSegment(kind=kind, x=percentage(x), width=percentage(width)))
        x += width
    return tuple(parts)


def _finalist_rows(
    facts: EventFacts, decks: dict[PlayerId, Deck], shape: DeckFormat, field: Metagame | None
) -> tuple[dict[str, Any], ...]:
    """Return the first eight with their record, and the kind of their deck or what is in it."""
    did = ranking.records_by_player(facts)
    rows = (row for row in ranking.ranking_page(facts).rows if row.rank <= MOST_FINALISTS)
    return tuple(
        {
            "row": row,
            "kind": field.by_player.get(row.entry.number) if field else None,
            "counts": "" if field else _counts(decks.get(row.entry.number), shape),
            "record": did[row.entry.number],
            "has_list": row.entry.number in decks,
        }
        for row in islice(rows, 2 * MOST_FINALISTS)
    )


def _counts(deck: Deck | None, shape: DeckFormat) -> str:
    """Return the counts of a deck's kinds of cards."""
    uses = kind_uses([deck], shape.kinds) if deck is not None else ()
    return " · ".join(f"{_kind_label(shape, use)} {use.copies}" for use in uses)
