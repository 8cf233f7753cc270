"""The deck-check desk (open checks, finished checks, players not yet checked), and one check."""

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from config.wording import translate
from decks.checking import (
    CheckedDeck,
    check_decklist_text,
    check_exchange_by_moves,
    check_exchange_by_new_deck,
)
from decks.decklists.card_rows import ZoneRows
from decks.decklists.selectors import DecklistRow, checked_deck_row, decklist_row, stored_deck
from rules.events.clock import format_clock
from rules.events.deck_checks import eligible_tables
from rules.results import PlayerId
from rules.stages.knockout import remaining_players
from tournaments.core.clocks import extension_minutes_due
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.labels import round_label
from tournaments.core.moments import minutes_text
from tournaments.core.names import attach_name_marks, load_name_marks
from tournaments.core.replays import MatchInPlay, matches_in_play
from tournaments.core.rows import AnyEntry, AnyRound
from tournaments.decklists.selectors.rules import cards_version_text, event_deck_rules
from tournaments.models import DeckCheck, DeckSubmission, Event

Outcome = DeckCheck.Outcome
TONES = {
    Outcome.CLEAN: "good",
    Outcome.MENDED: "info",
    Outcome.PENALTY: "bad",
    Outcome.ABANDONED: "warn",
}


def deck_checks_context(facts: EventFacts) -> dict[str, Any]:
    """Return the template context of an event's page of deck checks; one query.

    Keys: ``open`` and ``finished``: checks, as dicts; ``left``: (player, table or None) of active
    players without a check; ``rounds``: numbers of players checked, as dicts; ``known``: number of
    all checks; ``can_pick``: whether a table can be picked at random; ``can_pick_again``: the same
    if players may be checked twice.
    """
    event = facts.event
    found = tuple(event.deck_checks.select_related("match", "by").order_by("-started_at", "-pk"))
    entries_by_pk = facts.entries_by_pk
    labels = {item.pk: round_label(stage, item) for stage in facts.stages for item in stage.rounds}
    rows = [_row(check, entries_by_pk[check.entry_id], labels) for check in found]
    checked = {check.entry_id for check in found if _is_done(check)}
    playing = _players_in_play(facts)
    item, matches = _round_played(facts)
    tables = {key: each.table for each in reversed(matches) for key in each.match.seats}
    seen = checked | {check.entry_id for check in found if not check.outcome}
    left = [(e, tables.get(e.pk)) for e in playing if e.pk not in seen]
    eligible, again = (_eligible(matches, found, again=again) for again in (False, True))
    return {
        "open": tuple(row for row in rows if row["minutes"] is None),
        "finished": tuple(row for row in rows if row["minutes"] is not None),
        "playing": len(playing),
        "checked": sum(entry.pk in checked for entry in playing),
        "left": tuple(sorted(left, key=lambda row: (row[1] is None, row[1] or 0))),
        "rounds": _rounds(facts, found, labels),
        "round_label": labels[item.pk] if item else "",
        "known": len(found),
        "can_pick": bool(eligible),
        "can_pick_again": bool(again),
        "is_running": event.state == Event.State.RUNNING,
    }


def checks_of_players(players: Iterable[AnyEntry | None], event: Event) -> tuple[DeckCheck, ...]:
    """Return all deck checks of these players in an event, the latest first; one query.

    None among ``players`` is ignored.
    """
    seated = [entry for entry in players if entry]
    found = tuple(
        event.deck_checks.filter(entry__in=[entry.pk for entry in seated]).select_related(
            "entry", "round"
        )
    )
    marks = {entry.number: entry.mark for entry in seated}
    attach_name_marks((check.entry for check in found), marks)
    return found


def check_duration(check: DeckCheck) -> int | None:
    """Return the minutes a finished check took, rounded up; None while it is open."""
    if check.finished_at is None:
        return None
    return -((check.started_at - check.finished_at) // timedelta(minutes=1))


def _is_done(check: DeckCheck) -> bool:
    return bool(check.outcome) and check.outcome != Outcome.ABANDONED


def _row(check: DeckCheck, entry: AnyEntry, labels: dict[int, str]) -> dict[str, Any]:
    """A check; ``minutes`` is its duration, None while it is open."""
    return {
        "check": check,
        "entry": entry,
        "table": check.match.plays_at if check.match else None,
        "round": labels.get(check.round_id or 0, ""),
        "outcome": check.get_outcome_display() if check.outcome else _("open"),
        "tone": TONES[Outcome(check.outcome)] if check.outcome else "neutral",
        "minutes": check_duration(check),
    }


def _round_played(facts: EventFacts) -> tuple[AnyRound | None, tuple[MatchInPlay, ...]]:
    """Return the latest published round, and the matches in play at tables in their turn."""
    found = facts.latest_published
    if found is None:
        return None, ()
    stage, item = found
    playing = (each for each in matches_in_play(stage) if each.table is not None)
    return item, tuple(sorted(playing, key=lambda each: each.turn))


def _eligible(
    matches: Sequence[MatchInPlay], found: Sequence[DeckCheck], *, again: bool
) -> tuple[int, ...]:
    """Return the tables that may be picked; of two matches at one table the first counts."""
    tables = {each.table or 0: each.match.seats for each in reversed(matches) if each.is_open}
    checked = {check.entry_id for check in found if _is_done(check)}
    busy = {check.entry_id for check in found if not check.outcome}
    return eligible_tables(tables, checked=checked, busy=busy, again=again)


def _players_in_play(facts: EventFacts) -> tuple[AnyEntry, ...]:
    stage = facts.open_stage
    seated = _numbers_in_play(stage) if stage is not None else set(facts.entries)
    return tuple(e for e in facts.entries.values() if e.plays and e.number in seated)


def _numbers_in_play(stage: StageFacts) -> set[PlayerId]:
    last = stage.last_round
    if not stage.kind.has_bracket or last is None:
        return set(stage.state.players)
    if stage.kind.two_brackets:
        return set(remaining_players(stage.state))
    pairings = [pairing for pairing, _result in stage.state.rounds[-1]]
    return {player for pairing in pairings for player in pairing.seats}


def _rounds(
    facts: EventFacts, found: Sequence[DeckCheck], labels: dict[int, str]
) -> tuple[dict[str, Any], ...]:
    rows, seen = [], set[int]()
    for item in facts.rounds:
        made = [check for check in found if check.round_id == item.pk and _is_done(check)]
        seen |= {check.entry_id for check in made}
        rows.append(
            {
                "label": labels[item.pk],
                "players": len({check.entry_id for check in made}),
                "found": sum(check.outcome != Outcome.CLEAN for check in made),
                "so_far": len(seen),
            }
        )
    return tuple(rows)


def find_check(event: Event, check_id: int) -> DeckCheck | None:
    """Return a deck check of the event with its related rows, else None; two queries.

    Its attribute ``beside`` holds the open checks of the other players of the same match.
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
        attach_name_marks([each.entry for each in (check, *check.beside)], load_name_marks(event))
    return check


def deck_check_context(
    check: DeckCheck,
    *,
    lines: Collection[int] | None = None,
    points: Collection[str] | None = None,
    now: datetime | None = None,
) -> dict[str, Any]:
    """Return the template context of a deck check's page; at most six queries.

    lines, points: ticks of a refused form, shown instead of the stored ones. now: the time to which
    an open check is measured.

    Keys: ``due``: time extension in minutes if it ended now; ``seconds``: since it began;
    ``clock``: these as "152:33"; ``span``: its duration as text; ``list_number``: version of the
    decklist, from 1; ``newer``: the player has submitted another one since; ``checked_by``: text on
    the card catalogue.
    """
    now = now or timezone.now()
    row = decklist_row(check.submission.decklist) if check.submission else None
    zones = _zone_ticks(row.cards if row else (), set(check.ticked if lines is None else lines))
    rules = event_deck_rules(check.event)
    shape = rules.format
    ticked = set(check.points if points is None else points)
    seconds = (now - check.started_at) // timedelta(seconds=1)
    taken, lasted = check_duration(check), (now - check.started_at) // timedelta(minutes=1)
    is_open = taken is None
    return {
        "check": check,
        "zones": zones,
        "points": tuple(
            {"key": str(at), "text": translate(sentence), "ticked": str(at) in ticked}
            for at, sentence in enumerate(shape.deck_check, start=1)
        ),
        "decklist": row,
        "list_number": _list_number(check),
        "newer": check.submission_id != check.entry.submission_id,
        "cards": sum(zone["size"] for zone in zones),
        "done": sum(zone["done"] for zone in zones),
        "seconds": seconds,
        "clock": format_clock(seconds),
        "span": minutes_text(lasted if taken is None else taken),
        "due": extension_minutes_due(check, now) if is_open else 0,
        "beside": check.beside,
        "penalties": () if is_open else tuple(check.penalties.all()),
        "extensions": () if is_open else tuple(check.extensions.all()),
        "exchanges": row is not None and shape.exchange is not None,
        "checked_by": cards_version_text(check.event, rules.catalogue),
    }


def _zone_ticks(zones: tuple[ZoneRows, ...], ticked: Collection[int]) -> tuple[dict[str, Any], ...]:
    """A line of the list to tick; ``number`` is its index within the whole list.

    A zone in printed order; ``done`` of its ``size`` cards are on ticked lines.
    """
    found, number = [], 0
    for zone in zones:
        rows: list[dict[str, Any]] = []
        for card in zone.entries:
            rows.append({"number": number, "card": card, "ticked": number in ticked})
            number += 1
        if rows:
            done = sum(line["card"].count for line in rows if line["ticked"])
            found.append(
                {"label": zone.label, "size": zone.size, "done": done, "lines": tuple(rows)}
            )
    return tuple(found)


def _list_number(check: DeckCheck) -> int:
    """Return the version number of the checked list, 0 without a list; one query."""
    if check.submission_id is None:
        return 0
    return check.entry.submissions.filter(pk__lte=check.submission_id).count()


def exchange_result(
    check: DeckCheck,
    submission: DeckSubmission,
    *,
    out: str = "",
    into: str = "",
    table: str = "",
    games_played: int | None = None,
) -> DecklistRow:
    """Return the deck after an exchange of cards between games, with its violations.

    submission: the registered decklist. out, into: cards moved out of and into the deck, or instead
    table: the whole deck after it, without the side; all as text, one card a line. games_played:
    number of games played so far. Nothing is stored; at most two queries. Raises BadInput for an
    invalid text, or ``no_exchange`` if the game has none.
    """
    rules = event_deck_rules(check.event)
    registered = stored_deck(submission.decklist)
    if table:
        found = check_decklist_text(rules, text=table).deck
        checked: CheckedDeck = check_exchange_by_new_deck(
            rules, registered=registered, table=found, games_played=games_played
        )
    else:
        leaving, entering = (check_decklist_text(rules, text=text).deck for text in (out, into))
        checked = check_exchange_by_moves(
            rules, registered=registered, out=leaving, into=entering, games_played=games_played
        )
    return checked_deck_row(checked)
