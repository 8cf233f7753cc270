"""Taking acts back: each to the state before it, asked for by name where people acted on it."""

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from lxml import html

from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.browsers import signed_in, url
from tournaments.arrivals.services import record_fee_payment
from tournaments.core.event_state import load_facts
from tournaments.core.permissions import Actor
from tournaments.decklists import services as decklists
from tournaments.decklists.services import publish_decklists
from tournaments.events import services as events
from tournaments.judging.services import call_judge
from tournaments.lots import services as draws
from tournaments.models import Event, LogLine, Round
from tournaments.penalties import services as penalties
from tournaments.players.services import departures, entries, late_entries
from tournaments.results.services import reports, results
from tournaments.rounds.services import discard_round
from tournaments.undo.selectors import find_redoable_undo, last_act, undo_options
from tournaments.undo.services import redo, undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
GROUP = {"formula": "single-group", "format": "doomtrooper-original"}
SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 2}}


@pytest.fixture
def event(by):
    return make.started(by, 6, **GROUP)


def fresh(event):
    return Event.objects.get(pk=event.pk)


def take_back(event, by):
    """Take the last act back as the page would; the event stays sound."""
    line = last_act(fresh(event)).line
    undo(event=event, expected=line.number, by=by)
    assert list(verify_event(fresh(event))) == []
    written = LogLine.objects.filter(event=event).last()
    assert (written.action, written.after["line"]) == ("act.undone", line.number)
    return line


def table(event):
    return [
        (row.player, row.rank, row.played, dict(row.values))
        for stage in load_facts(event).stages
        if stage.groups
        for standings in stage.outcome.standings.values()
        for row in standings.rows
    ]


@pytest.mark.deep
def test_an_entered_result_is_taken_back_and_can_be_entered_again(event, by):
    match = make.next_round(event, by).matches.filter(table=1).get()
    before = table(event)
    decided = results.decide_result(match=match, version=0, claim=Claim(score=(40, 10)), by=by)
    assert take_back(event, by).action == "result.entered"
    match.refresh_from_db()
    assert (match.state, match.decision, match.reports.count()) == ("open", None, 1)
    assert table(event) == before
    results.decide_result(match=match, version=decided.version, claim=Claim(score=(10, 40)), by=by)
    assert list(verify_event(fresh(event))) == []


def test_a_result_over_a_players_report_is_corrected_not_taken_back(event, by, in_english):
    match = make.next_round(event, by).matches.filter(table=1).get()
    claim = Claim(score=(40, 10))
    reported = reports.report_result(match=match, claim=claim, by=Actor(entry=match.players[0]))
    assert last_act(fresh(event)).why_not is not None
    results.decide_result(match=match, version=reported.version, claim=claim, by=by)
    act = last_act(fresh(event))
    assert str(act.why_not) == "Correct the result instead."
    with pytest.raises(RuleError) as refused:
        undo(event=event, expected=act.line.number, by=by)
    assert refused.value.code == "not_undoable"


@pytest.mark.deep
def test_publication_and_draft_are_taken_back_one_after_the_other(event, by):
    item = make.next_round(event, by)
    assert take_back(event, by).action == "round.published"
    item.refresh_from_db()
    assert (item.state, item.published_at) == ("draft", None)
    assert take_back(event, by).action == "round.drafted"
    assert not Round.objects.filter(event=event).exists()
    assert take_back(event, by).action == "event.start"
    assert not fresh(event).stages.exists()
    assert last_act(fresh(event)).line.action == "draw.start"
    assert last_act(fresh(event)).why_not is not None


@pytest.mark.deep
def test_a_withdrawal_is_taken_back_with_the_match_it_forfeited(event, by):
    item = make.next_round(event, by)
    before = table(event)
    entry = item.matches.get(table=2).players[0]
    departures.withdraw(entry=entry, reason="Treno", by=by)
    assert table(event) != before
    take_back(event, by)
    entry.refresh_from_db()
    assert entry.plays
    assert table(event) == before
    assert item.matches.get(table=2).state == "open"


@pytest.mark.deep
def test_a_closed_stage_is_open_again_also_the_last(by):
    event = make.started(by, 8, **SWISS)
    make.play_stage(event, by)
    make.close_stage(event, by)
    take_back(event, by)
    assert load_facts(event).open_stage.stage.number == 1
    group = make.started(by, 3, **GROUP)
    make.play_stage(group, by)
    make.close_stage(group, by)
    take_back(group, by)
    assert load_facts(group).open_stage.stage.number == 1


def test_only_the_act_that_was_shown_and_only_by_an_organiser(event, by):
    make.next_round(event, by)
    shown = last_act(fresh(event)).line.number
    with pytest.raises(PermissionDenied):
        undo(event=event, expected=shown, by=make.staff(event, "head_judge"))
    events.change_event(event=event, changes={"minutes": 20}, by=by)
    with pytest.raises(RuleError) as refused:
        undo(event=event, expected=shown, by=by)
    assert refused.value.code == "stale"
    assert fresh(event).rounds.get().state == "published"


def test_what_has_to_stay_says_why(by):
    event = make.open_event(by, **GROUP)
    make.players(event, 4, by)
    draws.draw_start_order(event=event, seed="s", by=by)
    act = last_act(fresh(event))
    with pytest.raises(RuleError) as refused:
        undo(event=event, expected=act.line.number, by=by)
    assert refused.value.code == "not_undoable"
    assert refused.value.sentence.values["why"] == act.why_not


def test_players_who_handed_in_a_list_are_not_taken_off_with_the_others(by):
    event = make.open_event(by, decklists=Event.Decklists.OPTIONAL, **GROUP)
    first = make.players(event, 4, by)[0]
    decklists.submit_decklist(entry=first, text="1 Carta", by=by)
    with pytest.raises(RuleError) as refused:
        undo(event=event, expected=last_act(fresh(event)).line.number, by=by)
    assert refused.value.code == "has_handed_in"
    assert event.entries.count() == 4


def test_players_stay_once_the_event_has_started(event, by):
    pasted = LogLine.objects.get(event=event, action="entry.pasted")
    assert undo_options(event).find(pasted.number) is None


def test_a_penalty_goes_by_itself_whatever_came_after(event, by):
    match = make.next_round(event, by).matches.filter(table=1).get()
    penalties.give_penalty(entry=match.players[0], level="warning", infraction="Ritardo", by=by)
    given = LogLine.objects.get(event=event, action="penalty.given").number
    results.decide_result(match=match, version=0, claim=Claim(score=(40, 10)), by=by)
    assert last_act(fresh(event)).line.action == "result.entered"
    undo(event=event, expected=given, by=by)
    assert not event.penalties.exists()
    assert last_act(fresh(event)).line.action == "result.entered"


@pytest.mark.deep
def test_the_page_offers_takes_back_does_again_and_explains(event, by, client):
    client.force_login(by.user)
    page = f"/events/{event.slug}/log/"
    make.next_round(event, by)
    number = last_act(fresh(event)).line.number
    assert f'name="expected" value="{number}"' in client.get(page).content.decode()
    assert client.post(f"{page}undo/", {"expected": number}).status_code == 302
    assert client.post(f"{page}undo/", {"expected": number}).status_code == 409
    assert fresh(event).rounds.get().state == "draft"
    again = find_redoable_undo(fresh(event)).number
    shown = client.get(page).content.decode()
    assert f'name="expected" value="{again}"' in shown
    assert "Annullato – Turno pubblicato" in shown
    assert client.post(f"{page}redo/", {"expected": again}).status_code == 302
    assert client.post(f"{page}redo/", {"expected": again}).status_code == 409
    assert fresh(event).rounds.get().state == "published"


@pytest.mark.deep
def test_after_an_act_the_page_offers_it_and_returns_there(event, by, client):
    client.force_login(by.user)
    home = f"/events/{event.slug}/manage/players/"
    answer = client.post(f"{home}1/withdraw/", {"reason": "Treno"}, follow=True)
    if answer.status_code == 404:
        departures.withdraw(entry=event.entries.get(number=1), by=by)
    number = last_act(fresh(event)).line.number
    answer = client.post(
        f"/events/{event.slug}/log/undo/", {"expected": number, "back": home}, follow=True
    )
    assert answer.redirect_chain[-1][0] == home
    shown = answer.content.decode()
    assert f"/events/{event.slug}/log/redo/" in shown
    assert f"/events/{event.slug}/log/redo/" not in client.get(home).content.decode()
    for elsewhere in ("//evil.test", "https://evil.test/", f"/events/{event.slug}/../../x\\"):
        data = {"expected": find_redoable_undo(fresh(event)).number, "back": elsewhere}
        to = client.post(f"/events/{event.slug}/log/redo/", data)["Location"]
        assert to.startswith(f"/events/{event.slug}/")
        undo(event=event, expected=last_act(fresh(event)).line.number, by=by)


def test_the_desk_offers_undo_to_the_organiser_alone(event, by, client):
    make.next_round(event, by)
    client.force_login(by.user)
    desk = f"/events/{event.slug}/desk/"
    assert f"/events/{event.slug}/log/undo/" in client.get(desk).content.decode()
    client.force_login(make.staff(event, "scorekeeper").user)
    assert f"/events/{event.slug}/log/undo/" not in client.get(desk).content.decode()


def test_the_desk_shows_nothing_of_a_result_taken_back(event, by, client):
    match = make.next_round(event, by).matches.filter(table=1).get()
    results.decide_result(match=match, version=0, claim=Claim(score=(38, 17)), by=by)
    take_back(event, by)
    client.force_login(by.user)
    page = client.get(f"/events/{event.slug}/desk/").content.decode()
    assert "38–17" not in page


@pytest.mark.deep
def test_a_late_entry_is_undone_though_a_link_was_made_since(by):
    event = make.halfway(by, 6, **SWISS)
    late = late_entries.add_late_entry(event=event, name="Tarda", missed="loss", by=by)
    entries.make_link(entry=late, by=by)
    line = last_act(fresh(event)).line
    assert line.action == "entry.added_late"
    undo(event=event, expected=line.number, by=by)
    assert not event.entries.filter(pk=late.pk).exists()
    again = find_redoable_undo(fresh(event))
    assert again is not None
    redo(event=event, expected=again.number, by=by)
    assert event.entries.get(number=late.number).name == "Tarda"
    assert list(verify_event(fresh(event))) == []


def test_a_late_entry_is_not_offered_for_undo_once_a_list_was_handed_in(by, in_english):
    event = make.halfway(by, 6, **SWISS, decklists="optional")
    late = late_entries.add_late_entry(event=event, name="Tarda", missed="loss", by=by)
    make.hand_in(late, by=by, reason="Tarda")
    act = last_act(fresh(event))
    assert act.line.action == "entry.added_late"
    assert "Drop the player instead." in str(act.why_not)
    with pytest.raises(RuleError, match="Drop the player instead") as refused:
        undo(event=event, expected=act.line.number, by=by)
    assert refused.value.code == "not_undoable"


SHORT = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 2}}


def last_number(event: Event) -> int:
    return event.log.latest("number").number


def post(by: Actor, event: Event, name: str, **fields: object):
    return signed_in(by).post(reverse(f"tournaments:{name}", args=[event.slug]), fields)


def send(by: Actor, event: Event, name: str, **body: object):
    address = reverse(f"tournaments_api:{name}", args=[event.slug])
    return signed_in(by).post(address, body, content_type="application/json")


@pytest.fixture
def called(by: Actor) -> tuple[Event, int]:
    """Return an event in whose first round a player has called a judge, and its publication."""
    event = make.playing(by, 4, **SHORT)
    published = event.log.get(action="round.published").number
    match = event.rounds.get().matches.first()
    call_judge(
        match=match, entry=match.players[0], reason="Aiuto", by=Actor(entry=match.players[0])
    )
    return event, published


@pytest.mark.deep
def test_the_page_asks_for_the_name(by, called) -> None:
    event, published = called
    first = post(by, event, "log-undo", expected=published)
    assert first.status_code == 400
    assert "Type “Round 1” to confirm" in first.content.decode()
    assert event.rounds.get().state == "published"
    wrong = post(by, event, "log-undo", expected=published, confirm="Round 2")
    assert 'aria-invalid="true"' in wrong.content.decode()
    done = post(by, event, "log-undo", expected=published, confirm="Round 1")
    assert (done.status_code, event.rounds.get().state) == (302, "draft")


def test_the_api_asks_for_the_name(by, called) -> None:
    event, published = called
    refused = send(by, event, "undo", version=published)
    assert (refused.status_code, refused.json()["code"]) == (400, "not_confirmed")
    assert "Round 1" in str(refused.json())
    assert send(by, event, "undo", version=published, confirm="Round 1").status_code == 200


@pytest.mark.deep
def test_a_round_is_not_thrown_away_again_without_its_name(by) -> None:
    event = make.halfway(by, 4, **SHORT)
    discard_round(event=event, ordinal=1, confirm="Round 1", by=by)
    undo(event=event, expected=last_number(event), by=by)
    version = last_number(event)
    assert send(by, event, "redo", version=version).json()["code"] == "not_confirmed"
    assert post(by, event, "log-redo", expected=version).status_code == 400
    with pytest.raises(BadInput):
        redo(event=event, expected=version, confirm="Round 2", by=by)
    assert event.rounds.count() == 1
    redo(event=event, expected=version, confirm="Round 1", by=by)
    assert not event.rounds.exists()


@pytest.mark.deep
def test_an_event_with_players_is_not_hidden_without_its_name(by) -> None:
    event = make.open_event(by)
    opened = last_number(event)
    make.players(event, 2, by)
    assert send(by, event, "undo", version=opened).json()["code"] == "not_confirmed"
    undo(event=event, expected=opened, confirm=event.name, by=by)
    event.refresh_from_db()
    assert event.state == "draft"
    assert event.log.latest("number").after["hides"] == ["event"]


@pytest.mark.deep
def test_what_nobody_acted_on_is_taken_back_by_a_question_alone(by) -> None:
    event = make.playing(by, 4, **SHORT)
    act = undo_options(event).last
    assert act is not None
    shown = signed_in(by).get(reverse("tournaments:log", args=[event.slug])).content.decode()
    assert 'data-confirm="Unpublish the round?' in shown
    told = signed_in(by).get(reverse("tournaments_api:undo", args=[event.slug])).json()
    assert told["undo"]["asks"].startswith("Unpublish the round?")
    undo(event=event, expected=act.line.number, by=by)


@pytest.mark.deep
def test_lists_ask_before_they_are_hidden_and_shown_again(by) -> None:
    event = make.played(by, 3, formula="single-group", decklists="required")
    publish_decklists(event=event, by=by)
    browser, log = signed_in(by), reverse("tournaments:log", args=[event.slug])
    assert b'data-confirm="Hide the decklists again?' in browser.get(log).content
    undo(event=event, expected=last_number(event), by=by)
    assert b'data-confirm="Publish the decklists of everyone who' in browser.get(log).content


def enter(match, by):
    claim = make.a_wins(match)
    results.enter_result(match=match, version=0, claim=claim, reason=None, by=by)


def offer_at_desk(event, by):
    """Return what the desk says of the last act of play."""
    page = signed_in(by).get(url("desk", event))
    (shown,) = html.fromstring(page.content).xpath("//*[@class='last-acts']")
    forms = shown.xpath(".//form[contains(@action, '/undo/')]")
    return " ".join(shown.text_content().split()), bool(forms)


def test_the_desk_takes_back_ones_own_last_act_of_play_past_acts_of_the_staff(event, by):
    match = make.next_round(event, by).matches.order_by("table").first()
    enter(match, by)
    record_fee_payment(entry=event.entries.get(number=1), paid=True, by=by)
    words, button = offer_at_desk(fresh(event), by)
    assert "Result entered" in words
    assert by.user.name in words
    assert button


def test_the_desk_names_a_later_act_of_somebody_else_and_opens_the_log(event, by):
    first, second = make.next_round(event, by).matches.order_by("table")[:2]
    enter(first, by)
    shown = last_act(fresh(event)).line.number
    other = make.staff(event, "organiser")
    enter(second, other)
    words, button = offer_at_desk(fresh(event), by)
    assert other.user.name in words
    assert "Open the log" in words
    assert not button
    late = signed_in(by).post(url("log-undo", event), {"expected": shown})
    assert late.status_code == 409
    assert f"Result entered ({other.user.name})" in late.content.decode()
    assert f'href="{url("log", event)}"' in late.content.decode()


def test_settings_changed_since_are_undone_in_the_log(event, by):
    match = make.next_round(event, by).matches.order_by("table").first()
    enter(match, by)
    events.change_event(event=fresh(event), changes={"venue": "Hall"}, by=by)
    words, button = offer_at_desk(fresh(event), by)
    assert "Settings changed" in words
    assert not button
