"""What everybody could read stays so; an act that hides something says it, before and after."""

import pytest
from django.test import Client
from django.urls import reverse
from django.utils.translation import override

from rules.errors import RuleError
from tests import factories as make
from tests.browsers import ENGLISH, signed_in
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.decklists.services import hide_decklists, publish_decklists
from tournaments.events.services import change_event, change_event_state
from tournaments.log_page.selectors import log_line_context
from tournaments.models import Event
from tournaments.rounds.services import discard_round
from tournaments.snapshots.services import restore_snapshot, take_snapshot
from tournaments.stages.services import close_stage, reopen_previous_stage
from tournaments.undo.selectors import undo_options
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
EXO = {"format": "creatures-of-exo", "formula": "single-group", "decklists": "required"}
LISTS = ("decklists/", "decklists/1/", "decklists/1/text/", "played/")


@pytest.fixture
def published(by: Actor) -> Event:
    """Return a finished event whose lists are published."""
    return publish_decklists(event=make.played(by, 3, **EXO), by=by)


def statuses(event: Event) -> set[int]:
    """Return the answers of the pages of lists to anybody."""
    return {Client().get(f"/events/{event.slug}/{name}").status_code for name in LISTS}


def hidden_by(event: Event) -> object:
    """Return what the latest line of the log says that it hides."""
    return event.log.latest("number").after.get("hides")


# --- Lists -------------------------------------------------------------------------------
@pytest.mark.deep
def test_published_lists_stay_public_when_the_event_goes_on(by: Actor, published: Event) -> None:
    reopened = change_event_state(event=published, action="reopen", by=by)
    assert statuses(reopened) == {200}
    assert b"/decklists/" in Client().get(f"/events/{reopened.slug}/").content
    assert statuses(change_event_state(event=reopened, action="finish", by=by)) == {200}


@pytest.mark.deep
def test_published_lists_stay_public_when_the_finish_is_taken_back(
    by: Actor, published: Event
) -> None:
    finish = published.log.get(action="event.finish")
    undo(event=published, expected=finish.number, by=by)
    published.refresh_from_db()
    assert statuses(published) == {200}
    assert hidden_by(published) == ["transcript"]


def test_published_lists_are_hidden_while_the_event_goes_on(by: Actor, published: Event) -> None:
    change_event_state(event=published, action="reopen", by=by)
    page = signed_in(by).get(f"/events/{published.slug}/manage/players/", headers=ENGLISH)
    assert b"Hide the decklists" in page.content
    hide_decklists(event=published, by=by)
    assert statuses(published) == {404}
    with pytest.raises(RuleError) as early:
        publish_decklists(event=published, by=by)
    assert early.value.code == "event_not_finished"


@pytest.mark.deep
def test_published_lists_survive_a_snapshot_of_before(by: Actor) -> None:
    event = make.played(by, 3, **EXO)
    kept = take_snapshot(event, "round.discarded", by=by)
    publish_decklists(event=event, by=by)
    restored = restore_snapshot(event=event, snapshot_id=kept.pk, by=by)
    assert statuses(restored) == {200}


def test_a_start_taken_back_ends_the_publication_and_says_so(by: Actor) -> None:
    event = make.started(by, 3, **EXO)
    Event.objects.filter(pk=event.pk).update(lists_published_at=event.started_at)
    last = undo_options(event).last
    assert last is not None
    assert last.line.action == "event.start"
    undo(event=event, expected=last.line.number, by=by)
    event.refresh_from_db()
    assert event.lists_published_at is None
    assert hidden_by(event) == ["lists"]


# --- What reopening hides ----------------------------------------------------------------
def test_reopening_says_what_it_hides(by: Actor, published: Event) -> None:
    transcript = reverse("tournaments:transcript", args=[published.slug])
    assert Client().get(transcript).status_code == 200
    players = f"/events/{published.slug}/manage/players/"
    page = signed_in(by).get(players, headers=ENGLISH).content.decode()
    question = "hidden until you finish it again. Published decklists stay public."
    assert question in " ".join(page.split())
    change_event_state(event=published, action="reopen", by=by)
    assert Client().get(transcript).status_code == 404
    line = published.log.latest("number")
    assert line.after["hides"] == ["transcript"]
    with override("en"):
        told = {change.label: change.after for change in log_line_context(line)["changes"]}
    assert told["No longer public"] == "Transcript"


# --- Standings ---------------------------------------------------------------------------
def told_after(event: Event) -> int:
    """Return the round after which the public sees the standings."""
    facts = load_facts(Event.objects.get(pk=event.pk), for_staff=False)
    shown = [r.ordinal for stage in facts.stages for r in stage.rounds if r.pk not in stage.held]
    return max(shown, default=0)


@pytest.mark.deep
def test_a_hold_that_begins_says_that_it_hides_what_was_shown(by: Actor) -> None:
    event = make.halfway(by, 8, rounds=2, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    page = signed_in(by).get(f"/events/{event.slug}/manage/settings/", headers=ENGLISH)
    assert b"even those already shown" in page.content
    change_event(event=event, changes={"standings_held": "all"}, by=by)
    assert told_after(event) == 0
    assert hidden_by(event) == ["standings"]


@pytest.mark.deep
def test_a_hold_that_comes_back_by_undo_says_so_and_a_snapshot_brings_none(by: Actor) -> None:
    event = make.halfway(
        by,
        8,
        rounds=2,
        formula="swiss-cut",
        options={"rounds": 3, "cut": 2},
        standings_held="all",
    )
    kept = take_snapshot(event, "round.discarded", by=by)
    assert told_after(event) == 0
    change_event(event=event, changes={"standings_held": ""}, by=by)
    last = undo_options(event).last
    assert last is not None
    undo(event=event, expected=last.line.number, by=by)
    assert told_after(event) == 0
    assert hidden_by(event) == ["standings"]
    change_event(event=event, changes={"standings_held": ""}, by=by)
    restored = restore_snapshot(event=event, snapshot_id=kept.pk, by=by)
    assert told_after(restored) == 2
    make.next_round(restored, by)
    assert told_after(restored) == 2


@pytest.mark.deep
def test_a_stage_opened_again_keeps_the_table_that_its_closing_showed(by: Actor) -> None:
    event = make.stage_played(
        by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 2}, standings_held="all"
    )
    assert told_after(event) == 0
    close_stage(event=event, expected_stage=1, by=by)
    assert told_after(event) == 3
    reopen_previous_stage(event=event, expected_stage=2, by=by)
    assert told_after(event) == 3
    close_stage(event=event, expected_stage=1, by=by)
    closing = undo_options(event).last
    assert closing is not None
    undo(event=event, expected=closing.line.number, by=by)
    assert told_after(event) == 3
    assert not list(verify_event(Event.objects.get(pk=event.pk)))


# --- Rounds ------------------------------------------------------------------------------
@pytest.mark.deep
def test_a_round_that_goes_is_named_by_what_takes_it_away(by: Actor) -> None:
    event = make.playing(by, 4, **EXO)
    last = undo_options(event).last
    assert last is not None
    undo(event=event, expected=last.line.number, by=by)
    assert hidden_by(event) == ["round 1"]
    event.rounds.update(state="published")
    discard_round(event=event, ordinal=1, confirm="Round 1", by=by)
    assert event.log.latest("number").subject == "1"
