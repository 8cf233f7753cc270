"""A closed stage whose standings stay held back: the others see it as before it was closed."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from rules.errors import RuleError
from tests import factories as make
from tests.browsers import ENGLISH, by_link, page, signed_in, url
from tests.crawling import refusing, routes, still
from tournaments.core.event_state import load_facts, withheld_stage
from tournaments.events.services import change_event_state
from tournaments.models import Event, Round, Stage
from tournaments.rounds.services import close_and_draft, delete_last_round, publish_round
from tournaments.snapshots.services import restore_snapshot, take_snapshot
from tournaments.stages.services import close_stage, reopen_previous_stage
from tournaments.standings.services import release_standings
from tournaments.undo.selectors import undo_options
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
LINE = re.compile(r'"version":\s*\d+|[0-9a-f]{12,}|-en-\d+\.png|[Ll]ine \d+|SEQUENCE:\d+')
"""What differs after every line of the log: its number and its digest."""
QUICK = ("event", "standings", "pairings", "bracket", "screen", "formula")


def fresh(event):
    return Event.objects.get(pk=event.pk)


@pytest.fixture
def event(by):
    """Return an event of which the Swiss is played and can be closed, its last round held back."""
    values = {"format": "creatures-of-exo", "standings_held": "last"}
    options = {"rounds": 3, "cut": 4}
    made = make.stage_played(by, 8, formula="swiss-cut", options=options, **values)
    make.draw_lots(made, by)
    return fresh(made)


@pytest.fixture
def held(event, by):
    """Return the event after its Swiss was closed and the semi-finals drafted, all held back."""
    close_and_draft(event=event, expected_stage=1, expected_round=4, hold=True, by=by)
    return fresh(event)


def told_after(event):
    """Return the round after which the public sees the standings, and the stages' states."""
    facts = load_facts(fresh(event), for_staff=False)
    shown = [r.ordinal for stage in facts.stages for r in stage.rounds if r.pk not in stage.held]
    return max(shown, default=0), [str(stage.stage.state) for stage in facts.stages]


HELD, SHOWN = (2, ["open", "pending"]), (3, ["closed", "open"])


def addresses(event, names=None):
    """Return what everybody may ask for, of these routes or of all."""
    match = event.rounds.get(ordinal=3).matches.order_by("number")[0]
    parts = {"slug": event.slug, "number": 1, "ordinal": 3, "match_id": match.pk}
    parts |= {"kind": "text", "name": "standings"}
    for name, needs in routes():
        own = name.removeprefix("tournaments:")
        asked = needs <= parts.keys() and "session" not in name and name not in refusing("GET")
        if asked and (not names or own in names):
            yield reverse(name, kwargs={key: parts[key] for key in needs})
    if not names or "standings" in names:
        kinds = ("stages", "rounds", "standings", "ranking", "scenarios", "tie-breaks")
        yield from (f"/api/v1/events/{event.slug}/{kind}/" for kind in kinds)


def read_all(client, where):
    """Return what each address answers, without the number and print of the log's last line."""
    found = {}
    for address in where:
        answer = client.get(address, headers=ENGLISH)
        kind = answer.headers.get("Content-Type", "")
        if answer.status_code == 200 and kind.startswith(("text/", "application/json")):
            found[address] = LINE.sub("", still(answer).decode())
    return found


def same_before_and_after(client, event, by, names=None):
    """Close the stage with its hold; return the addresses whose words changed, and all read."""
    where = list(dict.fromkeys(addresses(event, names)))
    before = read_all(client, where)
    close_and_draft(event=event, expected_stage=1, expected_round=4, hold=True, by=by)
    after = read_all(client, where)
    changed = {address for address in before if before[address] != after.get(address)}
    return changed | (after.keys() - before.keys()), before


@pytest.mark.deep
def test_anybody_reads_the_same_before_and_after_the_closing(event, by):
    changed, read = same_before_and_after(Client(), event, by, QUICK)
    assert changed == set()
    assert len(read) > 8
    assert told_after(event) == HELD
    staff = page(signed_in(by), "standings", event)
    assert "Release the standings" in staff


@pytest.mark.deep
def test_a_player_does_too(event, by):
    going = load_facts(event).open_stage.outcome.places["seed 1"]
    client = by_link(event.entries.get(number=going), by)
    changed, read = same_before_and_after(client, event, by, ("me", "me-now", "standings"))
    assert changed == set()
    assert read


@pytest.mark.deep
def test_at_every_address(event, by):
    changed, read = same_before_and_after(Client(), event, by)
    assert changed == set()
    assert len(read) > 20


# --- How it ends --------------------------------------------------------------------------
@pytest.mark.deep
def test_it_ends_with_the_release_on_the_desk(held, by):
    client = signed_in(by)
    said = page(client, "desk", held)
    assert "Standings hidden: Swiss rounds" in said
    judge = page(signed_in(make.staff(held)), "desk", held)
    assert "Standings hidden: Swiss rounds" in judge
    assert "Release the standings" not in judge
    sent = {"expected_round": "3", "back": "desk"}
    assert client.post(url("standings-release", held), sent).url == url("desk", held)
    assert told_after(held) == SHOWN
    assert "Standings hidden" not in page(client, "desk", held)
    assert fresh(held).held_stage is None
    assert list(verify_event(fresh(held))) == []


@pytest.mark.deep
def test_it_ends_with_the_next_rounds_publication_and_does_not_come_back(held, by):
    assert list(verify_event(held)) == []
    publish_round(event=held, ordinal=4, by=by)
    assert told_after(held) == (4, ["closed", "open"])
    published = undo_options(fresh(held)).last
    undo(event=held, expected=published.line.number, by=by)
    assert told_after(held) == SHOWN
    assert fresh(held).log.latest("number").after["hides"] == ["round 4"]
    assert list(verify_event(fresh(held))) == []


@pytest.mark.deep
def test_it_ends_with_the_end_of_the_event_and_does_not_come_back(by):
    made = make.stage_played(by, 4, formula="single-group", standings_held="all")
    make.close_stage(made, by, hold=True)
    assert told_after(made) == (0, ["open"])
    assert Client().get(f"/api/v1/events/{made.slug}/ranking/").json() == []
    change_event_state(event=fresh(made), action="finish", by=by)
    assert told_after(made) == (3, ["closed"])
    assert list(verify_event(fresh(made))) == []
    change_event_state(event=fresh(made), action="reopen", by=by)
    assert told_after(made) == (3, ["closed"])


# --- Taken back, done again ---------------------------------------------------------------
@pytest.mark.deep
def test_opened_again_and_closed_again_it_is_held_all_the_time(held, by):
    assert held.log.get(action="stage.closed").after["held_stage"] is True
    delete_last_round(event=held, ordinal=4, by=by)
    reopen_previous_stage(event=fresh(held), expected_stage=2, by=by)
    assert told_after(held) == HELD
    line = undo_options(fresh(held)).last.line
    assert line.action == "stage.taken_back"
    undo(event=fresh(held), expected=line.number, by=by)
    assert told_after(held) == HELD
    assert load_facts(fresh(held)).open_stage.stage.number == 2
    redo(event=fresh(held), expected=undo_options(fresh(held)).again.number, by=by)
    assert told_after(held) == HELD
    close_stage(event=fresh(held), expected_stage=1, by=by)
    assert told_after(held) == SHOWN
    assert list(verify_event(fresh(held))) == []


@pytest.mark.deep
def test_a_snapshot_hides_nothing_that_was_shown(held, by):
    kept = take_snapshot(held, "round.discarded", by=by)
    restored = restore_snapshot(event=held, snapshot_id=kept.pk, by=by)
    assert told_after(restored) == HELD
    publish_round(event=fresh(held), ordinal=4, by=by)
    restored = restore_snapshot(event=fresh(held), snapshot_id=kept.pk, by=by)
    assert told_after(restored) == SHOWN
    assert list(verify_event(fresh(held))) == []


# --- Choosing it --------------------------------------------------------------------------
@pytest.mark.parametrize(("chosen", "seen"), [("held", HELD), ("", SHOWN)])
def test_the_page_of_the_cut_offers_it(event, by, chosen, seen):
    client = signed_in(by)
    said = page(client, "advance", event)
    assert "Hidden since: Round 3" in said
    assert "You can also publish later, at the desk." in said
    sent = {"expected_stage": 1, "expected_round": 4, "standings": chosen}
    answer = client.post(url("advance-close", event), sent)
    assert answer.url == url("desk-round", event, 4)
    assert told_after(event) == seen
    assert (withheld_stage(fresh(event), load_facts(event).rows) is not None) is (chosen == "held")


def test_there_is_no_choice_where_nothing_is_held_any_more(event, by):
    release_standings(event=event, expected_round=3, by=by)
    client = signed_in(by)
    assert "You can also publish later" not in page(client, "advance", event)
    with pytest.raises(RuleError, match="no longer possible"):
        close_stage(event=fresh(event), expected_stage=1, hold=True, by=by)
    sent = {"expected_stage": 1, "expected_round": 4, "standings": "held"}
    assert client.post(url("advance-close", event), sent).status_code == 409
    assert fresh(event).stages.get(number=1).state == Stage.State.OPEN
    assert not fresh(event).rounds.filter(state=Round.State.DRAFT).exists()


def test_a_program_closes_it_held(event, by):
    client, address = signed_in(by), f"/api/v1/events/{event.slug}/stages/"
    before, sent = Client().get(address).json(), {"hold": True}
    answer = client.post(f"{address}1/close/", sent, content_type="application/json")
    assert answer.json()["next"]["state"] == "open"
    assert [stage["state"] for stage in client.get(address).json()] == SHOWN[1]
    assert Client().get(address).json() == before
