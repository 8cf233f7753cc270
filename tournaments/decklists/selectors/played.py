"""Statistics of the decks played in an event whose lists are published."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from django.utils.translation import gettext as _

from config.wording import translate
from decks.decklists.mapping import deck_of
from decks.rulebook import deck_format
from rules.deckbuilding.archetypes import LEADER
from rules.deckbuilding.deck import Deck
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.statistics import (
    Record,
    UseCount,
    card_uses,
    cards_of,
    expansion_uses,
    kind_uses,
    records,
)
from rules.results import PlayerId
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_of_match
from tournaments.core.rows import AnyEntry, AnyMatch
from tournaments.core.visibility import who_played
from tournaments.decklists.selectors.field import FEW_LISTS, Field, field_of, results_of
from tournaments.decklists.selectors.shares import Part, parts_of, per_cent, percentage
from tournaments.standings.selectors.ranking import ranking_page

MOST_CARDS = 20
MOST_RECORDS = 10
MOST_FINALISTS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class UseRow:
    """A card or kind that was played; ``bar`` is its share in per cent, for CSS."""

    name: str
    lists: int
    copies: int
    share: str
    bar: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordRow:
    """Results of the players of a card against others; no parts without a match."""

    name: str
    lists: int
    record: Record
    share: str
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalistRow:
    """A player near the top: the last stage they reached, and their deck in a few words."""

    rank: int
    shared: bool
    entry: AnyEntry
    reached: str
    played: str
    has_list: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayedPage:
    """Statistics of the lists that were played; ``of_leaders``: decks are named by their Leader.

    ``field`` is None in a game without a word for kinds of decks; ``records`` of cards are then in
    its place.
    """

    lists: int
    of_leaders: bool
    field: Field | None
    records: tuple[RecordRow, ...]
    cards: tuple[UseRow, ...]
    kinds: tuple[UseRow, ...]
    expansions: tuple[UseRow, ...]
    finalists: tuple[FinalistRow, ...]

    @property
    def few(self) -> bool:
        """Return whether the lists are too few for their shares to be representative."""
        return self.lists < FEW_LISTS


def played_page(facts: EventFacts) -> PlayedPage:
    """Return statistics of the lists of all who played.

    Two queries besides those of the facts, one more for a house format.

    Check ``visibility.lists_published`` first.
    """
    shape = deck_format(facts.event.format_key)
    decks = _decks_by_player(facts)
    everybody = list(decks.values())
    of_leaders = LEADER in shape.zone_keys
    cards = card_uses(everybody, apart=(LEADER,))[:MOST_CARDS]
    field = field_of(facts, decks, shape)
    expansions = tuple(expansion_uses(everybody))
    total = sum(use.copies for use in card_uses(everybody))
    return PlayedPage(
        lists=len(decks),
        of_leaders=of_leaders,
        field=field,
        records=() if field else _record_rows(facts, decks, cards[:MOST_RECORDS]),
        cards=tuple(_use_row(use, use.name, use.lists, len(decks)) for use in cards),
        kinds=tuple(
            _use_row(use, _kind_label(shape, use), use.copies, total)
            for use in kind_uses(everybody, shape.kinds)
        ),
        expansions=tuple(
            _use_row(use, use.name or _("not given"), use.copies, total)
            for use in (expansions if any(use.name for use in expansions) else ())
        ),
        finalists=_finalist_rows(facts, decks, shape),
    )


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


def _use_row(use: UseCount, name: str, part: int, total: int) -> UseRow:
    share = Fraction(part, total)
    return UseRow(
        name=name, lists=use.lists, copies=use.copies, share=per_cent(share), bar=percentage(share)
    )


def _kind_label(shape: DeckFormat, use: UseCount) -> str:
    known = {kind.key: translate(kind.label) for kind in shape.kinds}
    return known.get(use.key) or use.name or _("not given")


def _record_rows(
    facts: EventFacts, decks: dict[PlayerId, Deck], uses: Sequence[UseCount]
) -> tuple[RecordRow, ...]:
    """Return the record of each card, the most played first; one in every deck has no matches."""
    held = {player: cards_of(deck) for player, deck in decks.items()}
    found = records(held, results_of(facts))
    rows = (_record_row(use, found.get(use.key, Record())) for use in uses)
    return tuple(row for row in rows if row.record.played)


def _record_row(use: UseCount, record: Record) -> RecordRow:
    share = record.share_won
    return RecordRow(
        name=use.name,
        lists=use.lists,
        record=record,
        share="–" if share is None else per_cent(share),
        parts=parts_of(record),
    )


def _finalist_rows(
    facts: EventFacts, decks: dict[PlayerId, Deck], shape: DeckFormat
) -> tuple[FinalistRow, ...]:
    reached = _stages_reached(facts)
    rows = [row for row in ranking_page(facts).rows if row.rank <= MOST_FINALISTS]
    return tuple(
        FinalistRow(
            rank=row.rank,
            shared=row.shared,
            entry=row.entry,
            reached=reached.get(row.entry.pk, ""),
            played=_in_short(decks.get(row.entry.number), shape),
            has_list=row.entry.number in decks,
        )
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
