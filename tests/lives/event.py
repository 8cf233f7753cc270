"""A running event whose players have accounts, and the state that an undone act must restore."""

from collections.abc import Callable, Mapping
from typing import Any

from django.test import Client

from accounts.models import User
from rules.errors import BadInput, RuleError
from tests import factories as make
from tests.lives.present import Ask
from tournaments.core.event_state import load_facts
from tournaments.core.mapping import outcome_from_report
from tournaments.core.permissions import Actor
from tournaments.core.rows import MatchRow
from tournaments.drafts.services import ChangeRequest, change_draft
from tournaments.lots import services as draws
from tournaments.models import Event
from tournaments.players.services import entries
from tournaments.rounds.services import discard_round
from tournaments.snapshots.services import restore_snapshot
from tournaments.starting import services as starting


def started_event(formula: str, how_many: int, **values: Any) -> Event:
    """Return a started event whose players can sign in."""
    by = make.organiser()
    event = make.open_event(by, formula=formula, **values)
    for index in range(how_many):
        person = make.user()
        own = Actor(user=person)
        entries.register(event=event, name=make.player_name(index), user=person, by=own)
    draw = draws.draw_start_order(event=event, seed="seme", by=by)
    starting.start_event(event=event, draw_number=draw.number, by=by)
    return Event.objects.get(pk=event.pk)


def _change_draft(event: Event, by: Actor, ordinal: int, asked: dict[str, Any]) -> None:
    lists = {
        key: tuple(value) if isinstance(value, list) else value for key, value in asked.items()
    }
    change_draft(event=event, ordinal=ordinal, asked=ChangeRequest(**lists), by=by)


SERVICES: Mapping[str, Callable[..., object]] = {
    "change_draft": _change_draft,
    "discard_round": discard_round,
    "restore_snapshot": restore_snapshot,
}
"""Services that are asked for directly."""


def serve(ask: Ask) -> int:
    """Call a service as its endpoint would; return the status."""
    event, by = Event.objects.get(slug=ask.path), Actor(user=User.objects.get(pk=ask.user))
    try:
        SERVICES[ask.act](event=event, by=by, **ask.body)
    except BadInput:
        return 400
    except RuleError:
        return 409
    return 200


def send(browser: Client, ask: Ask) -> int:
    """Send a request as the signed-in user of the browser; return the status."""
    if ask.method == "service":
        return serve(ask)
    if ask.form:
        return int(browser.post(ask.path, dict(ask.body)).status_code)
    call = getattr(browser, ask.method)
    return int(call(ask.path, dict(ask.body), content_type="application/json").status_code)


def standing(event: Event) -> dict[str, Any]:
    """Return the state of play of an event, without who reported what when."""
    event = Event.objects.get(pk=event.pk)
    facts = load_facts(event)
    return {
        "state": event.state,
        "criteria": list(event.criteria),
        "players": {number: entry.status for number, entry in facts.entries.items()},
        "stages": [
            (s.stage.state, s.stage.legs, dict(s.stage.places), dict(s.state.seats), s.state.struck)
            for s in facts.stages
        ],
        "rounds": [(item.ordinal, item.state, list(item.level)) for item in facts.rounds],
        "matches": [_match(match) for stage in facts.stages for match in stage.matches],
    }


def _match(match: MatchRow) -> tuple[Any, ...]:
    said = outcome_from_report(match.decision, match.size) if match.decision else None
    return (match.round_id, match.number, match.seats, match.table, match.state, said)
