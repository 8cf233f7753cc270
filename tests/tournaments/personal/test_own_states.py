"""A player's page is one state, and no sentence of it belongs to another; the way back."""

import re
from datetime import timedelta
from itertools import product

import pytest
from django.test import Client
from django.utils import timezone
from django.utils.translation import override

from rules.events.lifecycle import RejoinStatus
from rules.scenarios.verdicts import Verdict
from tests import factories as make
from tests.browsers import by_link, read, text, url
from tests.level_players import two_level
from tournaments.core.event_state import load_facts
from tournaments.exports.handout.groups import advance_targets
from tournaments.judging.services import close_call
from tournaments.lots.services import draw_start_order, draw_tied_order
from tournaments.models import Entry, Event, Match
from tournaments.personal.selectors.player import rejoin_box
from tournaments.personal.selectors.state import current_page_state, drop_consequences
from tournaments.players.selectors.returns import rejoin_state
from tournaments.players.services import departures
from tournaments.prospects.selectors import public_prospects
from tournaments.stages.services import close_stage
from tournaments.starting.services import start_event

pytestmark = pytest.mark.django_db


KNOCKOUT = {"formula": "single-elimination", "format": "creatures-of-exo"}
WAITING = ("appear here automatically", "to-come")
LEAVE = "Drop from the event"


def page(entry, by, name="me"):
    return text(by_link(entry, by).get(url(name, entry.event)))


def flash(page):
    """Return what the page says once, above its content."""
    return page.partition('id="messages"')[2].partition(">")[2].partition("</div>")[0].strip()


def losers(item):
    return [match.players[1] for match in item.matches.order_by("number")]


def losses(entry):
    return Match.objects.filter(
        match_seats__entry=entry, match_seats__number=2, decision__winner="a"
    ).count()


def told(page, *words):
    return [one for one in words if one in page]


@pytest.mark.deep
def test_who_is_out_of_a_knockout_is_not_told_to_wait(by):
    event = make.playing(by, 8, **KNOCKOUT)
    begins = timezone.now() + timedelta(days=9)
    coming = make.open_event(by, name="Coppa di Selce", starts_at=begins, capacity=16)
    first = event.rounds.get()
    make.play_round(first, by)
    make.next_round(event, by)
    shown = page(losers(first)[0], by)
    assert told(shown, *WAITING, LEAVE, "Call a judge") == []
    assert len(told(shown, "=5th of 8", "Your last round: Quarter-finals")) == 2
    assert len(told(shown, "Your path", 'id="share"', "Places left: 16")) == 3
    assert url("register", coming) in shown
    road = shown.partition('class="road"')[2].partition("</ol>")[0]
    assert re.findall(r'<li class="(\w+)"', road) == ["lost", "skipped", "skipped"]
    assert "not played" not in road
    assert "is still playing: Semi-finals" in shown
    assert "<dd>=5th</dd>" in read(Client(), url("player", event, losers(first)[0].number))


def test_the_place_does_not_wait_for_others_who_lose_in_the_round(by):
    event = make.playing(by, 8, **KNOCKOUT)
    match = event.rounds.get().matches.first()
    make.results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    shown = page(match.players[1], by)
    assert told(shown, *WAITING) == []
    assert "=5th of 8" in shown
    public = read(Client(), url("player", event, match.players[1].number))
    assert "<dt>Rank out of 8</dt><dd>=5th</dd>" in public


@pytest.mark.deep
def test_the_winner_does_not_read_that_the_event_goes_on(by):
    event = make.halfway(by, 4, **KNOCKOUT)
    matches = make.next_round(event, by).matches
    final, third = sorted(matches.all(), key=lambda match: losses(match.players[0]))
    make.results.decide_result(match=final, version=0, claim=make.a_wins(final), by=by)
    shown = page(final.players[0], by)
    assert told(shown, "Running now", "Others are still playing") == ["Others are still playing"]
    assert "1st of 4" in shown
    make.results.decide_result(match=third, version=0, claim=make.a_wins(third), by=by)
    shown = page(final.players[0], by)
    assert told(
        shown, "You won the event", "All matches have been played", "Running now", "Others"
    ) == [
        "You won the event",
        "All matches have been played",
    ]


def test_who_waits_in_line_is_told_what_leaving_costs(by):
    event = make.started(by, 3, capacity=2, **KNOCKOUT)
    waiting = event.entries.select_related("event").get(status="waiting")
    asked = page(waiting, by, "my-drop")
    assert "You will lose your place." in asked
    assert told(asked, "opponents", "results") == []


@pytest.mark.deep
def test_nobody_has_a_rank_before_the_first_match_is_played(by):
    event = make.playing(by, 12)
    match = event.rounds.get().matches.first()
    assert told(page(match.players[0], by), ": rank", "Where you stand", "1st") == []
    public = url("player", event, match.players[0].number)
    assert "1st" not in text(by_link(match.players[0], by).get(public)).partition("<main")[2]
    make.play_round(event.rounds.get(), by)
    assert told(page(match.players[0], by), ": rank", "Where you stand") == [
        ": rank",
        "Where you stand",
    ]


@pytest.mark.deep
def test_who_has_lost_twice_is_out_of_a_double_elimination(by):
    event = make.halfway(by, 8, rounds=2, formula="double-elimination", format="creatures-of-exo")
    make.next_round(event, by)
    lost_twice = next(e for e in event.entries.order_by("number") if losses(e) == 2)
    shown = page(lost_twice, by)
    assert told(shown, *WAITING, LEAVE) == []
    assert "=7th of 8" in shown
    in_it = next(e for e in event.entries.order_by("number") if losses(e) == 0)
    assert told(page(in_it, by), "Well played") == []


@pytest.mark.deep
def test_who_has_left_is_not_told_to_wait(by):
    event = make.halfway(by, 8, formula="swiss-cut", options={"rounds": 3, "cut": 4})
    entry = event.entries.get(number=1)
    departures.withdraw(entry=entry, by=by)
    shown = page(entry, by)
    promised = shown.replace("to come back", "")
    assert told(promised, *WAITING, LEAVE, "to come", 'aria-current="step"') == []
    assert "You have dropped" in shown
    assert f", {by.user}" in shown
    assert "Was it a mistake?" in shown
    make.play_round(make.next_round(event, by), by)
    make.play_round(make.next_round(event, by), by)
    assert told(page(entry, by), "Ask to come back", "you have no matches left") == [
        "you have no matches left"
    ]


def test_a_call_that_is_closed_asks_nobody_to_stay(running):
    event, by, match = running
    client = by_link(match.players[0], by)
    called = text(client.post(url("my-call", event, match.pk), follow=True))
    assert ("Please stay at your table" in called, flash(called)) == (True, "")
    close_call(event=event, call_id=match.calls.get().pk, by=by)
    assert "stay at your table" not in text(client.get(url("me-now", event)))


def test_a_report_says_nothing_that_a_dispute_contradicts(running):
    event, by, match = running
    first, second = by_link(match.players[0], by), by_link(match.players[1], by)
    sent = {"own": 40, "other": 22, "sure": "1"}
    reported = text(first.post(url("my-report", event, match.pk), sent, follow=True))
    waits = f"Waiting for <bdi>{match.players[1].name}</bdi> to confirm." in reported
    assert (waits, flash(reported)) == (True, "")
    disputed = text(second.post(url("my-report", event, match.pk), sent, follow=True))
    assert (told(disputed, "Waiting for"), flash(disputed)) == ([], "")
    assert "The reports differ" in disputed
    own, theirs = (
        disputed.index("<small>You,"),
        disputed.index(f"<bdi>{match.players[0].name}</bdi>,"),
    )
    assert own < theirs
    assert "My opponent’s report is right" in disputed


def test_leaving_speaks_of_a_match_only_while_it_is_played(running):
    event, by, match = running
    client, lost = by_link(match.players[0], by), "You will lose the match in progress."
    assert lost in text(client.get(url("my-drop", event)))
    make.play_round(match.round, by)
    asked = text(client.get(url("my-drop", event)))
    assert told(asked, lost) == []
    assert "Your results are kept." in asked


def test_who_cannot_play_again_is_not_asked_whether_to_leave(by):
    event = make.playing(by, 8, **KNOCKOUT)
    first = event.rounds.get()
    make.play_round(first, by)
    asked = text(by_link(losers(first)[0], by).get(url("my-drop", event)))
    assert told(asked, "Drop now") == []
    assert "You have no more matches" in asked


@pytest.mark.parametrize("name", ["me", "my-drop", "event", "standings"])
def test_who_reads_by_a_link_is_named(running, name):
    _event, by, match = running
    head = page(match.players[0], by, name).partition("</header>")[0]
    assert match.players[0].name in head
    assert "Sign in" not in head


def test_whether_they_are_here_is_asked_on_the_day_alone(by):
    begins = timezone.now() + timedelta(days=12)
    event = make.open_event(by, starts_at=begins, here_minutes=32_000, decklists="required")
    entry = make.players(event, 1, by)[0]
    shown = page(entry, by)
    assert told(shown, "Check in<", url("my-check-in", event), "Your check-in code") == []
    assert shown.index("Submit your decklist") < shown.index(LEAVE)
    event = make.open_event(by, starts_at=timezone.now() + timedelta(minutes=30), here_minutes=60)
    entry = make.players(event, 1, by)[0]
    assert url("my-check-in", event) in page(entry, by)


@pytest.mark.deep
def test_who_played_all_of_the_last_stage_waits_for_no_table(by):
    event = make.playing(by, 4, formula="single-group", format="creatures-of-exo")
    for _round in range(2):
        make.play_round(event.rounds.last(), by)
        make.next_round(event, by)
    match = event.rounds.last().matches.first()
    make.results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    shown = page(match.players[0], by)
    assert told(shown, *WAITING, LEAVE) == []


@pytest.mark.deep
def test_who_lost_the_lots_reads_that_they_decided_and_for_whom(by):
    event = two_level(by)
    (tied,) = load_facts(event).open_stage.outcome.lots_needed
    draw = draw_tied_order(event=event, tied=tied, seed="s", by=by)
    ahead, behind = (event.entries.select_related("event").get(number=n) for n in draw.order)
    shown = page(behind, by)
    assert f"decided who advanced: {ahead.name}." in shown
    assert "You advance only if 1 player ahead of you drops." in shown
    assert told(shown, *WAITING, LEAVE, "Well played") == []
    assert "decided who advanced" not in page(ahead, by)


@pytest.mark.deep
def test_before_the_cut_is_drawn_nothing_is_promised(by):
    event = make.halfway(by, 8, rounds=2, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    item = make.next_round(event, by)
    for match in item.matches.filter(table__in=(2, 3)):
        make.results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    states = {}
    for entry in Entry.objects.filter(event=event).select_related("event"):
        shown = page(entry, by)
        states[entry.pk] = told(
            shown, "Not decided yet", "You play on", " of 8", "Report the result"
        )
        assert told(shown, "Next match: Round") == []
        if states[entry.pk] == ["Not decided yet"]:
            lines = shown.count(": Qualified</bdi>") + shown.count(": Out</bdi>")
            assert 1 <= lines <= 3 or "on other results" in shown or "still playing" in shown
            assert "<span>Now</span>" in shown
    assert all(len(found) == 1 for found in states.values()), states


@pytest.mark.deep
def test_who_plays_next_in_a_later_stage_waits_for_no_round_of_this_one(by):
    event = make.stage_played(by, 12)
    for stage in (1, 2):
        while needed := (facts := load_facts(event)).open_stage.outcome.lots_needed:
            sure = public_prospects(facts)[needed[0][0]].verdict is Verdict.THROUGH
            shown = page(event.entries.select_related("event").get(number=needed[0][0]), by)
            assert ("You play on" in shown, "Not decided yet" in shown) == (sure, not sure)
            draw_tied_order(event=event, tied=needed[0], seed="s", by=by)
        close_stage(event=event, expected_stage=stage, by=by)
        make.next_round(event, by) if stage == 2 else make.play_stage(event, by)
    places = (facts := load_facts(event)).stages[1].outcome.places
    assert (
        places["X"]
        in advance_targets(facts, facts.stages[1]).keys() - facts.open_stage.state.players
    )
    shown = page(event.entries.select_related("event").get(number=places["X"]), by)
    assert told(shown, "Next match: Round", *WAITING[:1]) == []
    assert told(shown, "Next match: Last three") == ["Next match: Last three"]


def test_in_a_play_in_all_pages_tell_the_places_that_are_left(by):
    event = make.playing(by, 14, options={"preliminary": 0})
    for match in event.rounds.get().matches.filter(match_seats__number=2)[:1]:
        make.results.decide_result(match=match, version=0, claim=make.a_wins(match), by=by)
    assert "13th–14th of 14" in page(match.players[1], by)
    assert "<dd>13th–14th</dd>" in read(Client(), url("player", event, match.players[1].number))
    shown = read(Client(), url("standings", event))
    assert told(shown, "13–14", "Still playing: 13", "are known") == [
        "13–14",
        "Still playing: 13",
    ]
    make.play_round(event.rounds.get(), by)
    shown = read(Client(), url("standings", event))
    assert told(shown, "13–14") == []


@pytest.mark.deep
def test_who_has_left_reads_the_places_that_everybody_reads(by):
    event = make.playing(by, 14, options={"preliminary": 0})
    gone = event.rounds.get().matches.filter(match_seats__number=2).last().players[1]
    departures.withdraw(entry=gone, by=by)
    said = ["13th–14th of 14", "as a no-show"]  # nothing was played before
    assert told(page(gone, by), *said, "You have dropped") == said


@pytest.mark.deep
def test_who_left_before_the_start_has_no_place_to_wait_for(by):
    event = make.open_event(by, decklists="optional", **KNOCKOUT)
    gone, stays, *_others = make.players(event, 5, by)
    departures.withdraw(entry=gone, by=by)
    draw = make.draws.draw_start_order(event=event, by=by)
    make.starting.start_event(event=event, draw_number=draw.number, by=by)
    shown = page(Entry.objects.select_related("event").get(pk=gone.pk), by)
    assert told(shown, "You have dropped", " of 4") == ["You have dropped"]
    shown = page(Entry.objects.select_related("event").get(pk=stays.pk), by)
    told_now, not_told = ("Next match", "Not submitted"), ("Open the decklist", "locked")
    assert told(shown, *told_now, *not_told) == [*told_now]


WAYS = {
    RejoinStatus.MAY_ASK: (
        "You can play again from round 2.",
        "Puoi tornare a giocare dal turno 2.",
    ),
    RejoinStatus.ASKED: ("The desk will decide", "Deciderà la segreteria"),
    RejoinStatus.REFUSED: ("The staff declined", "Lo staff ha respinto"),
    **dict.fromkeys(
        (RejoinStatus.STRUCK, RejoinStatus.ALL_PLAYED, RejoinStatus.NO_PLACE),
        ("you have no matches left", "non hai più incontri da giocare"),
    ),
}
DESK = {"en": "desk", "it": "segreteria"}


@pytest.fixture
def left(by):
    event = make.halfway(by, 6, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    entry = departures.withdraw(entry=event.entries.get(number=3), by=by)
    entry.return_asked_at = entry.return_refused_at = event.begins
    return load_facts(event, for_staff=False), entry


def test_each_way_has_its_words_and_names_the_desk(left):
    for returning, (place, language) in product(RejoinStatus, enumerate(("en", "it"))):
        with override(language):
            words = rejoin_box(*left, returning)
        if returning is RejoinStatus.NOT_OFFERED:
            assert words is None
            continue
        assert words is not None
        assert WAYS[returning][place] in words.line, (returning, language)
        assert words.asks == (returning is RejoinStatus.MAY_ASK)
        copied = words.line_offline or words.line
        assert DESK[language] in copied
        assert (DESK[language] in words.line) or words.asks
        assert bool(words.line_offline) == words.asks


@pytest.mark.deep
def test_before_the_start_and_in_a_bracket_no_round_is_named(by):
    event = make.open_event(by)
    entry = make.players(event, 2, by)[0]
    with override("en"):
        before = rejoin_box(load_facts(event), entry, RejoinStatus.MAY_ASK)
    assert before is not None
    assert before.line == ""
    event = make.playing(by, 4, formula="double-elimination")
    entry = event.entries.get(number=1)
    with override("en"):
        words = rejoin_box(load_facts(event, for_staff=False), entry, RejoinStatus.MAY_ASK)
    assert words is not None
    assert words.line == "You lose any matches you miss."


def test_who_left_before_the_start_can_ask_though_a_later_stage_has_no_seats_yet(by):
    event = make.open_event(by, formula="swiss-cut", options={"rounds": 3, "cut": 2})
    entry = departures.withdraw(entry=make.players(event, 7, by)[0], by=by)
    draw = draw_start_order(event=event, by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    assert rejoin_state(load_facts(event), entry) is RejoinStatus.MAY_ASK


def test_before_the_start_a_full_event_promises_no_place(by):
    event = make.open_event(by, capacity=2)
    entry = make.players(event, 3, by)[0]
    departures.withdraw(entry=entry, by=by)
    entry.refresh_from_db()
    facts = load_facts(event)
    assert rejoin_state(facts, entry) is RejoinStatus.MAY_ASK
    with override("en"):
        words = rejoin_box(facts, entry, RejoinStatus.MAY_ASK)
    assert words is not None
    assert words.line == "All places are taken. The staff will decide on your request."


@pytest.mark.deep
def test_who_sat_in_an_earlier_stage_enters_no_later_one(by, monkeypatch):
    options = {"formula": "swiss-cut", "options": {"rounds": 3, "cut": 2}}
    event = make.stage_played(by, 6, **options)
    facts = load_facts(event, for_staff=False)
    for player in facts.stages[0].state.players:
        entry = event.entries.get(number=player)
        if player not in facts.stages[0].outcome.places.values():
            departures.withdraw(entry=entry, by=by)
    close_stage(event=event, expected_stage=1, by=by)
    monkeypatch.setattr("rules.stages.knockout.Knockout.admits_late", True)
    entry.refresh_from_db()
    facts = load_facts(event, for_staff=False)
    assert entry.number not in facts.open_stage.state.players
    assert rejoin_state(facts, entry) is RejoinStatus.NO_PLACE


@pytest.mark.deep
def test_once_the_last_round_is_published_who_is_out_by_points_has_no_way_back(by):
    event = make.halfway(by, 8, formula="swiss-cut", options={"rounds": 2, "cut": 2})
    won, lost = event.rounds.get().matches.first().seats[:2]
    make.next_round(event, by)
    found = {}
    for key in (won, lost):
        entry = departures.withdraw(entry=event.entries.get(pk=key), by=by)
        found[key] = rejoin_state(load_facts(event, for_staff=False), entry)
    assert found == {won: RejoinStatus.MAY_ASK, lost: RejoinStatus.ALL_PLAYED}
    event.refresh_from_db()
    event.show_prospects = False
    event.save(update_fields=["show_prospects"])
    assert rejoin_state(load_facts(event, for_staff=False), entry) is RejoinStatus.MAY_ASK


GIVES_UP = "You will give up your place in the next stage."


@pytest.mark.deep
@pytest.mark.parametrize(
    ("values", "rounds", "said"),
    [
        ({"formula": "single-group"}, 1, ""),
        ({"formula": "single-group"}, 3, ""),
        ({"formula": "single-group", "options": {"final": 3}}, 3, GIVES_UP),
        ({"formula": "swiss-cut", "options": {"rounds": 2, "cut": 2}}, 1, ""),
        (KNOCKOUT, 1, ""),
        (KNOCKOUT, 2, ""),
    ],
)
def test_leaving_speaks_of_what_the_player_would_have_had(by, in_english, values, rounds, said):
    event = make.halfway(by, 4, rounds=rounds - 1, **values) if rounds > 1 else None
    event = event or make.started(by, 4, **values)
    match = make.next_round(event, by).matches.order_by("table")[0]
    facts = load_facts(event, for_staff=False)
    words = drop_consequences(
        facts, match.players[0].number, current_page_state(facts, match.players[0])
    )
    assert words[0] == "You will lose the match in progress."
    assert words[-1] == "Your results are kept."
    assert " ".join(words[1:-1]) == said


NAMES = ("Marco Rossi (1)", "Marco Rossi (2)", "Anna Blu")


@pytest.fixture
def twins(by):
    """Return a running event with two players of one name, and its players."""
    event = make.open_event(by, formula="single-group", format="creatures-of-exo")
    entries = make.players_more(event, ["Marco Rossi", "Marco Rossi", "Anna Blu"], by)
    draw = draw_start_order(event=event, seed="seed", by=by)
    start_event(event=event, draw_number=draw.number, by=by)
    return Event.objects.get(pk=event.pk), entries


@pytest.mark.parametrize("name", ["me", "my-drop", "event", "standings"])
def test_only_twins_have_a_mark_in_the_head(twins, by, name):
    event, entries = twins
    for entry, shown in zip(entries, NAMES, strict=True):
        head = text(by_link(entry, by).get(url(name, event))).partition("</header>")[0]
        assert f">{shown}</bdi>" in head


@pytest.mark.deep
def test_the_picture_to_share_has_the_same_name(twins, by):
    event, entries = twins
    make.play_event(event, by)
    for entry, shown in zip(entries, NAMES, strict=True):
        page = text(by_link(entry, by).get(url("me", event)))
        picture = page.partition('class="own-picture"')[2].partition("</p>")[0]
        assert f"<bdi>{shown}</bdi>" in picture
