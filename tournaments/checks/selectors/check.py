"""One deck check: the registered list to tick, the game's points, the time extension."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone

from config.wording import translate
from decks.checking import Checked, check_text, checked_moves, checked_table
from decks.decklists.mapping import deck_of
from decks.decklists.selectors import DecklistRow, ZoneRow, checked_row, decklist_row
from rules.deckbuilding.deck import Entry as Card
from tournaments.checks.selectors.desk import minutes_taken
from tournaments.core.clocks import minutes_due
from tournaments.core.moments import minutes_in_words
from tournaments.core.twins import marks_in, tell_apart
from tournaments.decklists.selectors.rules import cards_in_words, rules_of_event
from tournaments.models import (
    DeckCheck,
    DeckSubmission,
    Event,
    LogLine,
    Penalty,
    TimeExtension,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class LineRow:
    """A line of the list to tick; ``number`` is its index within the whole list."""

    number: int
    card: Card
    ticked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class ZoneTicks:
    """A zone in printed order; ``done`` of its ``size`` cards are on ticked lines."""

    label: str
    size: int
    done: int
    lines: tuple[LineRow, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PointRow:
    """A point of the game's own checklist."""

    key: str
    text: str
    ticked: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckPage:
    """A check. ``due`` is the time extension in minutes if it ends now, ``seconds`` since it began.

    ``span`` is how long it has lasted, in words.
    ``picked`` has the seed, the table and the candidates of a random pick, so that it can be
    recomputed. ``list_number`` is the version of the player's list; ``newer`` says that another
    one counts now. ``checked_by`` says by which cards.
    """

    check: DeckCheck
    zones: tuple[ZoneTicks, ...]
    points: tuple[PointRow, ...]
    decklist: DecklistRow | None
    list_number: int
    newer: bool
    cards: int
    done: int
    seconds: int
    span: str
    due: int
    beside: tuple[DeckCheck, ...]
    picked: Mapping[str, Any] | None
    penalties: tuple[Penalty, ...]
    extensions: tuple[TimeExtension, ...]
    exchanges: bool
    checked_by: str


def find_check(event: Event, check_id: int) -> DeckCheck | None:
    """Return a check of the event with its related rows, else None; two queries.

    ``beside`` are the open checks of the other players at its table.
    """
    table = DeckCheck.objects.filter(pk=check_id).values("match")
    wanted = Q(pk=check_id) | Q(match__in=table, finished_at__isnull=True)
    loaded = DeckCheck.objects.select_related(
        "entry", "match", "round", "submission__decklist", "by"
    )
    found = {check.pk: check for check in loaded.filter(wanted, event=event)}
    check = found.pop(check_id, None)
    if check is not None:
        check.event = event
        check.beside = tuple(found.values())
        if check.match is not None and check.round is not None:
            check.match.round = check.round
        tell_apart([each.entry for each in (check, *check.beside)], marks_in(event))
    return check


def check_page(
    check: DeckCheck,
    *,
    lines: Collection[int] | None = None,
    points: Collection[str] | None = None,
    now: datetime | None = None,
) -> CheckPage:
    """Return the page of a loaded check; at most seven queries.

    ``lines`` and ``points`` override the stored ticks by those of a form that was refused.
    """
    now = now or timezone.now()
    row = decklist_row(check.submission.decklist) if check.submission else None
    zones = _zone_ticks(row.zones if row else (), set(check.ticked if lines is None else lines))
    rules = rules_of_event(check.event)
    shape = rules.format
    ticked = set(check.points if points is None else points)
    taken, lasted = minutes_taken(check), (now - check.started_at) // timedelta(minutes=1)
    is_open = taken is None
    return CheckPage(
        check=check,
        zones=zones,
        points=tuple(
            PointRow(key=str(at), text=translate(sentence), ticked=str(at) in ticked)
            for at, sentence in enumerate(shape.deck_check, start=1)
        ),
        decklist=row,
        list_number=_list_number(check),
        newer=check.submission_id != check.entry.submission_id,
        cards=sum(zone.size for zone in zones),
        done=sum(zone.done for zone in zones),
        seconds=(now - check.started_at) // timedelta(seconds=1),
        span=minutes_in_words(lasted if taken is None else taken),
        due=minutes_due(check, now) if is_open else 0,
        beside=check.beside,
        picked=_pick_of(check) if check.seed else None,
        penalties=() if is_open else tuple(check.penalties.all()),
        extensions=() if is_open else tuple(check.extensions.all()),
        exchanges=row is not None and shape.exchange is not None,
        checked_by=cards_in_words(check.event, rules.catalogue),
    )


def _zone_ticks(zones: tuple[ZoneRow, ...], ticked: Collection[int]) -> tuple[ZoneTicks, ...]:
    found, number = [], 0
    for zone in zones:
        rows = []
        for card in zone.entries:
            rows.append(LineRow(number=number, card=card, ticked=number in ticked))
            number += 1
        if rows:
            done = sum(line.card.count for line in rows if line.ticked)
            found.append(ZoneTicks(label=zone.label, size=zone.size, done=done, lines=tuple(rows)))
    return tuple(found)


def _list_number(check: DeckCheck) -> int:
    """Return the version number of the checked list, 0 without a list; one query."""
    if check.submission_id is None:
        return 0
    return check.entry.submissions.filter(pk__lte=check.submission_id).count()


def _pick_of(check: DeckCheck) -> Mapping[str, Any] | None:
    """Return the record of the table's random pick, from the log; one query."""
    line = LogLine.objects.filter(
        event=check.event, action="check.started", after__seed=check.seed
    ).first()
    return line.after if line else None


def exchanged_row(
    check: DeckCheck,
    submission: DeckSubmission,
    *,
    out: str = "",
    into: str = "",
    table: str = "",
    games_played: int | None = None,
) -> DecklistRow:
    """Return the deck after an exchange with its violations; at most two queries.

    The exchange is given by the cards moved ``out`` of and ``into`` the deck, or by the deck on the
    ``table``. Nothing is stored. Raises BadInput for an invalid text, and ``no_exchange``.
    """
    rules = rules_of_event(check.event)
    registered = deck_of(submission.decklist)
    if table:
        found = check_text(rules, text=table).deck
        checked: Checked = checked_table(
            rules, registered=registered, table=found, games_played=games_played
        )
    else:
        leaving, entering = (check_text(rules, text=text).deck for text in (out, into))
        checked = checked_moves(
            rules, registered=registered, out=leaving, into=entering, games_played=games_played
        )
    return checked_row(checked)
