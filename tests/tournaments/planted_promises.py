"""Faults planted in promises of services and pages, and who catches each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.test import Client
from django.urls import reverse

from tests import factories as make
from tests.lives.event import standing
from tests.tournaments.planted_rows import World
from tournaments.api import request_context
from tournaments.archive import reader as back
from tournaments.archive.writer import event_archive
from tournaments.core import visibility
from tournaments.core.event_state import load_facts
from tournaments.models import Entry, Event, LogLine, Match, Report
from tournaments.players.services import departures, entries
from tournaments.rounds import services as rounds
from tournaments.undo import services as undo

# --- Promises of services and pages -------------------------------------------------------


def by_order(world: World, event: Event) -> set[str]:
    """Enter the same results of a round in two orders: the tables must be equal."""
    tables = []
    for backwards in (False, True):
        other = world.running(name=f"Ordine {backwards}")
        item = make.next_round(other, world.by)
        matches: Sequence[Match] = list(item.matches.order_by("number"))
        for match in reversed(matches) if backwards else matches:
            make.results.decide_result(
                match=match, version=0, claim=make.a_wins(match, match.number), by=world.by
            )
        stage = load_facts(other).stages[0]
        (table,) = stage.outcome.standings.values()
        tables.append([(row.rank, row.player, dict(row.values)) for row in table.rows])
    return set() if tables[0] == tables[1] else {"order"}


def look_at_the_clock(world: World, _event: Event) -> None:
    """Let the last result that was entered decide who stands first."""
    usual = make.results.add_outcome

    def later_counts_more(match: Match, kind: str, outcome: Any, **more: Any) -> Report:
        count = Report.objects.filter(match__round__event=match.round.event).count()
        score = (outcome.score[0] + count, outcome.score[1])
        return usual(match, kind, replace(outcome, score=score), **more)

    world.patch.setattr(make.results, "add_outcome", later_counts_more)


def by_looking(_world: World, event: Event) -> set[str]:
    """Ask as nobody for somebody's list."""
    answer = Client().get(reverse("tournaments:decklist", args=[event.slug, 1]))
    return {"sight"} if answer.status_code == 200 else set()


def let_everybody_see(world: World, _event: Event) -> None:
    world.patch.setattr(visibility, "can_see_decks", lambda _actor, _event: True)


def by_the_log(world: World, event: Event) -> set[str]:
    """Draft a round: a change must have raised the version."""
    before, version = standing(event), Event.objects.get(pk=event.pk).version
    item = make.next_round(event, world.by)
    changed = standing(event) != before
    lines = Event.objects.get(pk=event.pk).version - version
    if changed and not lines:
        return {"log"}
    make.play_round(item, world.by)
    return set()


def forget_the_line(world: World, _event: Event) -> None:
    world.patch.setattr(rounds, "record", lambda *_args, **_more: None)


def by_undoing(world: World, event: Event) -> set[str]:
    """Withdraw somebody and take it back."""
    before = standing(event)
    departures.withdraw(entry=event.entries.get(number=1), by=world.by)
    last = LogLine.objects.filter(event=event).order_by("number").last()
    assert last is not None
    undo.undo(event=event, expected=last.number, by=world.by)
    return set() if standing(event) == before else {"undo"}


def undo_nothing(world: World, _event: Event) -> None:
    world.patch.setattr(undo, "restore_rows", lambda *_args, **_more: None)


def by_sending_twice(world: World, event: Event) -> set[str]:
    """Send one POST twice with one key."""
    client = Client()
    client.force_login(world.by.user)
    for _time in range(2):
        client.post(
            f"/api/v1/events/{event.slug}/players/",
            {"name": "Nuova"},
            content_type="application/json",
            headers={"Idempotency-Key": "una-volta"},
        )
    found = Entry.objects.filter(event=event, name="Nuova")
    effects = found.count()
    for entry in found:
        entries.remove_entry(entry=entry, by=world.by)
    return {"twice"} if effects > 1 else set()


def forget_the_key(world: World, _event: Event) -> None:
    world.patch.setattr(request_context, "_answer", lambda act, _request, _key: act())


def by_the_archive(_world: World, event: Event) -> set[str]:
    """Take the event out and in under another slug; both must hold the same."""
    event = Event.objects.get(slug=event.slug)
    first = event_archive(event)
    event.delete()
    return set() if event_archive(back.restore_archive(first)) == first else {"archive"}


def change_while_reading(world: World, _event: Event) -> None:
    usual = back.parse_archive

    def read(content: bytes) -> dict[str, Any]:
        document = usual(content)
        document["tables"]["entries"][0]["club"] = "Altrove"
        return document

    world.patch.setattr(back, "parse_archive", read)
