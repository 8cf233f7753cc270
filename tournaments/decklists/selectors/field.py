"""The field by kinds of deck: shares, those that made the cut, and results against each other."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from config.wording import translate
from rules.deckbuilding.archetypes import LEADER, Archetype, archetype_of, records_between
from rules.deckbuilding.checks.genus import genus_label
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.statistics import Record
from rules.results import PlayerId, Result
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.decklists.selectors.shares import Part, parts_of, per_cent, percentage

MOST_ROWS = 16
MOST_COMPARED = 8
MOST_TILES = 16
FEW_LISTS = 30
"""With fewer lists the page says that its shares describe this event alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldRow:
    """One kind of deck: its share of the field and of the cut, and how it did.

    ``tiles`` has one item a list, empty where they are too many to draw. ``through`` of ``lists``
    came through the cut; shares of it are empty in an event without one.
    """

    name: str
    lists: int
    tiles: str
    share: str
    bar: str
    through: int
    share_through: str
    bar_through: str
    conversion: str
    record: Record
    won: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Meeting:
    """A cell of the matrix: what the row's decks did against the column's.

    ``tone`` is ``ahead``, ``behind``, ``level``, ``none`` (they never met) or ``self``.
    """

    tone: str
    words: str
    sign: str


@dataclass(frozen=True, slots=True, kw_only=True)
class MatrixRow:
    """The meetings of one kind of deck with each."""

    name: str
    cells: tuple[Meeting, ...]


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
    rows: tuple[FieldRow, ...]
    more: int
    matrix: tuple[MatrixRow, ...]


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
    """Return the record of a kind of deck against all others."""
    found = [record for (a, b), record in met.items() if a == key != b]
    return Record(
        won=sum(record.won for record in found),
        drawn=sum(record.drawn for record in found),
        lost=sum(record.lost for record in found),
    )


def _archetype_row(
    name: str, lists: int, of: int, through: int, of_cut: int, record: Record
) -> FieldRow:
    share, won = Fraction(lists, of), record.share_won
    of_those = Fraction(through, of_cut) if of_cut else None
    return FieldRow(
        name=name,
        lists=lists,
        tiles="x" * lists if lists <= MOST_TILES else "",
        share=per_cent(share),
        bar=percentage(share),
        through=through,
        share_through="" if of_those is None else per_cent(of_those),
        bar_through="" if of_those is None else percentage(of_those),
        conversion="" if of_those is None else per_cent(Fraction(through, lists)),
        record=record,
        won="–" if won is None else per_cent(won),
        parts=parts_of(record),
    )


def _matrix_rows(
    keys: list[str], names: Mapping[str, str], met: Mapping[tuple[str, str], Record]
) -> tuple[MatrixRow, ...]:
    if len(keys) < 2:
        return ()
    return tuple(
        MatrixRow(
            name=names[key],
            cells=tuple(_matrix_cell(key == other, met.get((key, other))) for other in keys),
        )
        for key in keys
    )


SIGNS = {"ahead": "↑", "behind": "↓", "level": "="}


def _matrix_cell(is_self: bool, record: Record | None) -> Meeting:
    if is_self or record is None:
        return Meeting(tone="self" if is_self else "none", words="", sign="")
    lead = record.won - record.lost
    tone = "ahead" if lead > 0 else "behind" if lead < 0 else "level"
    figures = (record.won, record.drawn, record.lost) if record.drawn else (record.won, record.lost)
    return Meeting(tone=tone, words="–".join(map(str, figures)), sign=SIGNS[tone])
