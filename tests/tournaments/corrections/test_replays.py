"""What is to be played again: said wherever its players look, and beside the round in play."""

import re
from collections.abc import Callable
from dataclasses import replace

import pytest
from django.test import Client
from django.utils import timezone, translation
from django.utils.translation import override

from rules.results import MatchEnding, Winner, two_player_result
from tests import factories as make
from tests.browsers import ENGLISH, by_link, page, signed_in, text, url
from tests.playing_again import play_again
from tests.scenes.base import GROUP
from tests.tournaments.corrections.test_follow import (
    corrections,
    own_page,
    sound,
    turned,
    two_groups,
)
from tournaments.checks import services as checks
from tournaments.checks.selectors import deck_checks_context
from tournaments.core.event_state import load_facts
from tournaments.core.labels import match_round_label, round_phrase_by_ordinal
from tournaments.core.mapping import match_result
from tournaments.core.names import surname_with_initial
from tournaments.core.permissions import Actor, desk_rights
from tournaments.core.replays import Replay, count_missing_results, matches_in_play, pending_replays
from tournaments.core.rows import ClockRow, MatchRow, RoundRow
from tournaments.corrections.selectors.choices import (
    DisplayNames,
    describe_result,
    is_running,
)
from tournaments.corrections.selectors.page import (
    correction_options_context,
    longest_replay_minutes,
)
from tournaments.corrections.selectors.wording import describe_match_before, replacement_pairs
from tournaments.corrections.services.results import correct_and_delete_rounds, correct_and_reseat
from tournaments.desk.selectors.desk import desk_content
from tournaments.match_pages.selectors import public_match_context
from tournaments.models import Entry, Event, Match
from tournaments.paper.contents import rounds
from tournaments.personal.selectors.ended import match_lines
from tournaments.public.selectors.listed import listed_events
from tournaments.results.services import results
from tournaments.results.services.reports import report_result
from tournaments.rounds.selectors.pairings import pairings_page
from tournaments.screen.selectors import default_parts
from tournaments.standings.selectors.standings import stage_standings
from tournaments.undo.selectors import find_redoable_undo, last_act
from tournaments.undo.services import redo, undo

pytestmark = pytest.mark.django_db


def put_up(by: Actor, *, now: bool) -> Event:
    """Return an event in which matches are to be played again."""
    event = two_groups(by)
    match, shown = next(each for each in corrections(event, by) if each[1].why_not is None)
    values = {"version": match.version, "claim": turned(match), "reason": "Swapped"}
    correct_and_reseat(match=match, shown=shown.mark, now=now, by=by, **values)
    return Event.objects.get(pk=event.pk)


@pytest.mark.parametrize("now", [False, True])
def test_it_is_said_on_every_page_until_it_is_played(by: Actor, client, now: bool) -> None:
    event = put_up(by, now=now)
    found = pending_replays(load_facts(event))
    assert found
    assert {each.before for each in found} == {0 if now else load_facts(event).last_ordinal + 1}
    last = load_facts(event).last_ordinal
    words = f"during round {last}" if now else f"before round {found[0].before}"
    with translation.override("en"):
        assert {each.when for each in found} == {words}
    names = [entry.display_name for entry in found[0].players]
    staff = signed_in(by)
    pages = {
        "pairings": client.get(url("pairings", event), headers=ENGLISH),
        "screen": staff.get(url("screen", event), headers=ENGLISH),
        "desk": staff.get(url("desk", event), headers=ENGLISH),
    }
    for name, answer in pages.items():
        told = text(answer).partition("Still to be played")[2][:900]
        assert words in told, name
        assert all(each in told for each in names), name
    assert url("match", event, found[0].match.pk) in text(pages["desk"])
    own = by_link(event.entries.get(number=found[0].players[0].number), by)
    told = text(own.get(url("me", event), headers=ENGLISH))
    assert f"against <bdi>{names[1]}</bdi> ({words})" in " ".join(told.split())
    for each in found:
        match = Match.objects.select_related("round__event").get(pk=each.match.pk)
        claim = make.a_wins(match)
        make.results.decide_result(match=match, version=match.version, claim=claim, by=by)
    assert pending_replays(load_facts(event)) == ()
    assert "Still to be played" not in text(client.get(url("pairings", event), headers=ENGLISH))
    assert sound(event) == []


@pytest.mark.deep
def test_undo_takes_it_away_and_redo_puts_it_up_at_the_same_moment_and_table(by: Actor) -> None:
    event = put_up(by, now=False)
    before = [(each.pair, each.before, each.table) for each in pending_replays(load_facts(event))]
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert pending_replays(load_facts(event)) == ()
    assert sound(event) == []
    redo(event=event, expected=find_redoable_undo(event).number, by=by)
    again = [(each.pair, each.before, each.table) for each in pending_replays(load_facts(event))]
    assert again == before
    assert sound(event) == []


@pytest.mark.deep
def test_rounds_taken_back_are_told_until_one_is_public_again(by: Actor) -> None:
    event = two_groups(by)
    match, shown = next(each for each in corrections(event, by) if each[1].takes_back)
    facts, names = shown.facts, DisplayNames(shown.facts.entries)
    number = facts.numbers[shown.results_gone[0][1].seats[0]]
    away = facts.entries[number]._replace(status=Entry.Status.WITHDRAWN)
    left = replace(shown, facts=replace(facts, entries={**facts.entries, number: away}))
    again = correction_options_context(shown, names)["back"].second
    assert correction_options_context(left, names)["back"].second == again - 1, (
        "who has left does not play again"
    )
    values = {"version": match.version, "claim": turned(match), "reason": "Swapped"}
    correct_and_delete_rounds(match=match, shown=shown.mark, confirm=event.name, by=by, **values)
    number = load_facts(event).open_stage.state.players[0]
    (told,) = (line for line in own_page(event, number) if "Rounds removed" in line)
    assert told.startswith("Rounds removed by the staff: 4, 5.")
    undo(event=event, expected=last_act(event).line.number, by=by)
    assert not [line for line in own_page(event, number) if "Rounds removed" in line]


def test_the_page_of_its_own_round_names_the_table_where_it_is_played(by: Actor) -> None:
    facts = load_facts(put_up(by, now=False), for_staff=False)
    for each in pending_replays(facts):
        page = pairings_page(facts, each.round.ordinal)
        assert page is not None
        numbers = {entry.pk for entry in each.players}
        (row,) = (row for row in page.tables if {one.pk for one in row.players} == numbers)
        assert row.table == each.table


PLAY = {"version": "0", "sure": "yes"}


@pytest.fixture
def event(by: Actor) -> Event:
    """Return an event in which matches of round 4 are played again during round 5."""
    return put_up(by, now=True)


def stored(replay: Replay) -> Match:
    return Match.objects.select_related("round__event", "group__stage").get(pk=replay.match.pk)


def after(words: str, said: str) -> int:
    """Return the number that a page says after these words."""
    found = re.search(rf"{words}:? ?(?:<[^>]+>)*(\d+)", said)
    assert found, words
    return int(found[1])


def test_each_has_a_table_that_no_other_match_uses(event: Event) -> None:
    facts = load_facts(event)
    stage = facts.open_stage
    assert stage is not None
    tables = [each.table for each in matches_in_play(stage) if each.match.size > 1]
    assert len({*tables}) == len(tables)
    assert None not in tables
    again = pending_replays(facts)
    assert {each.match.table for each in again} & {*tables} - {each.table for each in again}
    assert [each.shared for each in again] == [False] * len(again)
    with translation.override("en"):
        assert {each.when for each in again} == {f"during round {facts.last_ordinal}"}
        told = next(each for each in stage_standings(facts) if each.under_way)
        assert told.under_way == f"Round {facts.last_ordinal - 1}, Round {facts.last_ordinal}"
    found, player = again[0], again[0].players[0]
    assert found.table in [each.table for each in match_lines(facts, player) if each.open]
    public = load_facts(event, for_staff=False)
    shown = public_match_context(public, (found.round.ordinal, found.match.number), {})
    assert shown is not None
    assert not any(seat.next for seat in shown["seats"]), "the later match does not follow this one"
    assert shown["published"] is None, "the round was published for other players"


@pytest.mark.deep
def test_the_players_see_both_matches_in_order_report_and_confirm(event: Event, by: Actor) -> None:
    facts = load_facts(event)
    found, last = pending_replays(facts)[0], facts.last_ordinal
    phones = [by_link(event.entries.get(number=one.number), by) for one in found.players]
    forms = {url("my-report", event, found.match.pk)}
    own = Match.objects.filter(round__event=event, round__ordinal=last)
    first = own.get(match_seats__entry__number=found.players[0].number)
    forms.add(url("my-report", event, first.pk))
    said = page(phones[0], "me", event)
    assert {*re.findall(r'<form class="report" method="post" action="([^"]+)"', said)} == forms
    assert "Your matches:" in said
    order = said.partition("Your matches:")[2].partition("</ol>")[0]
    assert 0 < order.index(f"Table {first.table}") < order.index(f"Table {found.table}")
    ids = re.findall(r' id="([^"]+)"', said)
    assert len(ids) == len({*ids})
    assert len(re.findall("data-report=", said)) == 2
    tag = phones[1].get(url("me-now", event))["ETag"]
    sent = PLAY | {"version": str(found.match.version), "own": "41", "other": "22"}
    answer = phones[0].post(url("my-report", event, found.match.pk), sent)
    assert answer.status_code == 302
    told = phones[1].get(url("me-now", event), headers={"If-None-Match": tag})
    confirm = url("my-confirm", event, found.match.pk)
    assert confirm in text(told)
    assert "Your matches:" not in text(told)
    phones[1].post(confirm, {"version": str(stored(found).version)})
    assert stored(found).state == Match.State.FINAL
    facts = load_facts(event, for_staff=False)
    shown = public_match_context(facts, (found.round.ordinal, found.match.number), {})
    assert shown is not None
    assert shown["table"] == found.table, "where it was played is told afterwards too"
    assert all(seat.next for seat in shown["seats"]), "what is still open is played after it"
    said = page(phones[0], "me", event)
    assert "Your matches:" not in said
    assert url("my-report", event, first.pk) in said
    assert url("my-report", event, found.match.pk) not in said


def test_who_has_finished_the_round_is_sent_to_the_match_to_be_played(
    event: Event, by: Actor
) -> None:
    facts = load_facts(event)
    found, last = pending_replays(facts)[0], facts.last_ordinal
    player = event.entries.get(number=found.players[0].number)
    own = Match.objects.select_related("round__event").get(
        round__event=event, round__ordinal=last, match_seats__entry=player
    )
    claim = make.a_wins(own)
    results.decide_result(match=own, version=own.version, claim=claim, by=by)
    said = page(by_link(player, by), "me", event)
    seat = said.partition('class="my-table"')[2]
    assert f"<strong>{found.table}</strong>" in seat
    assert f"against <bdi>{found.players[1].display_name}</bdi>" in seat
    assert f"(during round {last})" in said
    again = stored(found)
    results.decide_result(match=again, version=again.version, claim=make.a_wins(again), by=by)
    shown = public_match_context(
        load_facts(event, for_staff=False), (found.round.ordinal, again.number), {}
    )
    assert shown is not None
    (seat,) = (each for each in shown["seats"] if each.entry.number == player.number)
    assert seat.next is None, "the match of the later round was played before it"
    assert shown["published"] is None
    assert "Your matches:" not in said


@pytest.mark.deep
def test_desk_judges_and_everybody_count_it_with_the_round(event: Event, by: Actor) -> None:
    facts = load_facts(event)
    again, stage = pending_replays(facts), facts.open_stage
    assert stage is not None
    waits = count_missing_results(stage)
    assert waits == len(again) + sum(
        m.table is not None for m in stage.matches_of(stage.rounds[-1])
    )
    staff = signed_in(by)
    one, other, *_more = again
    anybody = Client(headers=ENGLISH)
    told = page(anybody, "public-match", event, one.round.ordinal, one.match.number)
    assert f"to play (during round {facts.last_ordinal})" in told
    assert f"Table {one.table}" in told
    by_one = Actor(entry=event.entries.get(number=one.players[0].number))
    report_result(match=stored(one), claim=make.a_wins(stored(one)), by=by_one)
    desk = page(staff, "desk", event)
    row = desk.partition(f'id="row-{one.match.pk}"')[2].partition("</tr>")[0]
    assert row.lstrip().startswith('class="desk-row reported')
    assert f'data-table="{one.table}"' in row
    assert "Accept" in row
    assert f"Round {one.round.ordinal}" in row
    assert after("Results missing", desk) == waits
    floor = page(staff, "floor", event)
    tile = floor.partition(f'class="tile reported" data-table="{one.table}"')[2]
    assert f'href="{url("floor-table", event, one.match.pk)}"' in tile.partition("</a>")[0]
    sheet = page(staff, "floor-table", event, one.match.pk)
    assert f"Table {one.table}" in sheet
    assert "Extra time" in sheet
    sent = {"ordinal": facts.last_ordinal, "table": str(other.table), "text": "41 22"}
    staff.post(url("desk-quick", event), sent)
    assert stored(other).state == Match.State.FINAL
    said = page(anybody, "event", event)
    assert f"Still open: {waits - 1} / {waits}" in said
    assert f"Still open: {waits - 1}" in page(anybody, "pairings", event)
    (card,) = listed_events(Actor())["running"]
    assert card.progress is not None
    assert (card.progress.missing, card.progress.tables) == (waits - 1, waits)
    desk = page(staff, "desk", event)
    assert after("Results missing", desk) == waits - 1
    done = desk.partition(f'id="row-{other.match.pk}"')[2].partition("</tr>")[0]
    assert "data-final" in done  # it stays in the list until the next round


@pytest.mark.deep
def test_tables_of_four_are_reported_from_the_phone_too(by: Actor) -> None:
    event = make.halfway(by, 8, **make.TABLES)
    make.next_round(event, by)
    first = Match.objects.filter(round__event=event, round__ordinal=1).order_by("number")[0]
    match = play_again(event, first, by)
    assert match.plays_at == 3
    phones = [by_link(player, by) for player in match.players]
    said = page(phones[0], "me", event)
    assert len(re.findall(r"Who won\?\s*</h", said)) == 2
    assert "Round 1 (during round 2)" in " ".join(said.split())
    assert said.count('class="company"') == 2
    sent = {"version": str(match.version), "preset": "1"}
    phones[0].post(url("my-report", event, match.pk), sent)
    said = page(phones[1], "me", event)
    assert "Agreed: 1 of 4" in said  # what they said of the match before counts no more
    match.refresh_from_db()
    for phone in phones[1:3]:
        version = {"version": str(match.version)}
        phone.post(url("my-confirm", event, match.pk), version)
        match.refresh_from_db()
    assert match.state == Match.State.FINAL
    desk = page(signed_in(by), "desk", event)
    assert f'id="row-{match.pk}"' in desk


def test_names_sheets_and_deck_checks_know_it(event: Event, by: Actor) -> None:
    facts = load_facts(event, for_staff=False)
    one = pending_replays(facts)[0]
    of_round = f"Round {one.round.ordinal}"
    with translation.override("en"):
        shown, screen = pairings_page(facts), default_parts(facts)
        assert shown is not None
        on_screen = [row for part in screen.names for column in part["columns"] for row in column]
        for rows in (shown.names, on_screen):
            for each in one.players:
                (again,) = [r for r in rows if r.entry.number == each.number and r.of_round]
                assert (again.table, again.of_round) == (one.table, of_round)
                assert [r.table for r in rows if r.entry.number == each.number][-1] == one.table
        now, nowhere = timezone.now(), rounds.SlipAddresses(at_the_desk=lambda _key: "", short="")
        by_table = rounds.tables_sheet(facts, shown, now)["tables"]
        assert str(one.table) in [line["table"] for line in by_table if line["group"] == of_round]
        slips = rounds.match_slips_sheet(facts, shown, now, nowhere)["sheets"]
        (slip,) = [s for sheet in slips for s in sheet if s and s["table"] == str(one.table)]
        assert slip["round"] == of_round
        lines = rounds.blank_results_sheet(facts, shown, now)["rows"]
        assert str(one.table) in [line["table"] for line in lines]
        paper = rounds.pairings_sheet(facts, shown, now)["players"]
        told = {each["against"] for each in paper if each["table"] == str(one.table)}
        assert told == {f"{of_round}: against {surname_with_initial(each)}" for each in one.players}
    checked = checks.begin_match_check(match=stored(one), by=by)
    assert {check.entry.number for check in checked} == {each.number for each in one.players}
    (row, *_others) = deck_checks_context(load_facts(event))["open"]
    assert (row["table"], row["round"].endswith(str(one.round.ordinal))) == (one.table, True)


def test_two_matches_at_one_table_say_which_goes_first(event: Event, by: Actor) -> None:
    """Where the hall is full: here the table is moved by hand."""
    facts = load_facts(event)
    found = pending_replays(facts)[0]
    players = {entry.pk for entry in found.players}
    own = next(
        each.match
        for each in matches_in_play(facts.open_stage)
        if not each.beside and each.table and not {*each.match.seats} & players
    )
    match = stored(found)
    match.earlier[-1]["table"] = own.table
    match.save(update_fields=["earlier"])
    with translation.override("en"):
        rows = desk_content(load_facts(event), desk_rights(by, event)).rows
        first, then = [row for row in rows if row.table == own.table]
        assert (first.match.pk, then.match.pk) == (own.pk, match.pk)
        assert (first.sharing.short, then.sharing.short) == ("1.", "2.")
        assert first.sharing.words == f"Same table: {then.players[0]}–{then.players[1]}"
        assert then.sharing.words == f"Same table: {first.players[0]}–{first.players[1]}"
        assert not any(row.sharing for row in rows if row.table != own.table)


AGAIN = '[{"until": 1, "seats": [1, 2], "again": %s}]'
Told = Callable[[RoundRow, MatchRow], str]


@pytest.fixture
def published(by: Actor) -> tuple[RoundRow, MatchRow, Told]:
    """Return a round without a clock, its first match, and what is said of that."""
    facts = load_facts(make.playing(by, 6, **GROUP))
    (item,) = facts.rounds
    match = facts.stages[0].matches[0]

    def told(round_: RoundRow, match: MatchRow) -> str:
        was = match_result(match, round_.number, facts.numbers)
        words = describe_match_before(round_, match, was, DisplayNames(facts.entries))
        return words.partition(" – ")[2].partition(": ")[2]

    return item, match, told


def clock(state: str) -> ClockRow:
    return ClockRow(minutes=50, state=state, used=0, since=None, ticks=None, machine="", version=1)


def test_a_table_is_said_to_be_idle_only_where_that_is_known(
    published: tuple[RoundRow, MatchRow, Told],
) -> None:
    item, match, told = published
    running = item._replace(clock=clock("running"))
    with override("en"):
        assert told(item, match) == ""
        assert told(item._replace(clock=clock("ready")), match) == ""
        assert told(running, match) == "Playing"
        assert told(item._replace(clock=clock("paused")), match) == "Playing"
        draft = item._replace(state="draft")
        assert told(draft, match) == "Draft"
        reported = match._replace(state="reported")
        assert told(running, reported) == "Reported"
        disputed = match._replace(state="disputed")
        assert told(running, disputed) == "Disputed"
        later = match._replace(earlier_text=AGAIN % 3)
        assert told(running, later) == "To be played again"


def test_the_time_of_matches_played_again_is_that_of_who_has_most_of_them() -> None:
    assert longest_replay_minutes([]) == 0
    assert longest_replay_minutes([((1, 2), 60), ((3, 4), 60)]) == 60
    assert longest_replay_minutes([((1, 2), 60), ((3, 4), 60), ((5, 1), 60), ((1, 6), 30)]) == 150


def test_a_match_put_up_before_a_round_that_is_out_is_to_be_played_now(by: Actor) -> None:
    facts = load_facts(make.playing(by, 6, **GROUP))
    (stage,), (item,) = facts.stages, facts.rounds
    first, *others = stage.matches

    def told(again: int) -> str:
        waits = first._replace(earlier_text=AGAIN % again)
        put_up = replace(stage, by_round={item.pk: (waits, *others)})
        (found,) = pending_replays(replace(facts, stages=(put_up,)))
        return found.when

    with override("en"):
        assert [told(again) for again in (0, 1, 2)] == ["Now", "Now", "before round 2"]


def test_what_is_to_be_played_again_does_not_run_by_the_clock_of_its_round(
    published: tuple[RoundRow, MatchRow, Told],
) -> None:
    item, match, _told = published
    running = item._replace(clock=clock("running"))
    waits = match._replace(earlier_text=AGAIN % 2)
    assert is_running(running, match)
    assert not is_running(running, waits)


@pytest.mark.parametrize(
    ("winner", "ended_by", "score", "words"),
    [
        (Winner.A, MatchEnding.PLAYED, (40, 12), "Ada 40–12 Bea"),
        (Winner.B, MatchEnding.TIME, (12, 40), "Ada 12–40 Bea"),
        (Winner.A, MatchEnding.NO_SHOW, None, "Ada – Bea: Ada wins: Bea is absent"),
        (Winner.B, MatchEnding.CONCESSION, (20, 10), "Ada – Bea: Bea wins: 10–20, Ada concedes"),
        (Winner.NONE, MatchEnding.NO_SHOW, None, "Ada – Bea: Both lose: No-show"),
    ],
)
def test_a_match_that_was_not_played_out_is_not_told_as_beaten(
    by: Actor, winner: Winner, ended_by: MatchEnding, score: tuple[int, int] | None, words: str
) -> None:
    names = DisplayNames(load_facts(make.playing(by, 6, **GROUP)).entries)
    was = two_player_result(a=1, b=2, round=1, winner=winner, ended_by=ended_by, score=score)
    with override("en"):
        assert describe_result(was, names) == words


def test_who_leaves_is_told_with_who_comes_and_an_open_seat_with_its_own_holder() -> None:
    """On the seats of four, 3 and 4 change places, 1 makes room for 5; who has 2's is open."""
    moves = [(4, 5), (2, None), (1, 3), (3, 4)]
    assert list(replacement_pairs(moves)) == [(2, None), (1, 5)]
    assert list(replacement_pairs([(1, 2), (2, 1)])) == []
    assert list(replacement_pairs([(None, 1), (2, None)])) == [(None, 1), (2, None)]


def test_the_page_names_whose_wins_go_before_anything_is_stored(by: Actor) -> None:
    event = two_groups(by)
    for match, shown in corrections(event, by):
        if shown.why_not is not None:
            continue
        names = DisplayNames(shown.facts.entries)
        with override("en"):
            page = correction_options_context(shown, names)
            was = match.decision
            winner, loser = (
                match.players if was.winner == "a" else (match.players[1], match.players[0])
            )
            lost = f"Winner: {names.of(winner.number)} → {names.of(loser.number)}"
            assert page["facts"][0].words == lost
            gone = [each for each in shown.changes if each.begun]
            told = [describe_result(each.was, names) for each in gone]
        assert gone
        again = [words for words in page["becomes"] if words.endswith(" · To be played again")]
        assert [words.partition(": ")[2].partition(" → ")[0] for words in again] == told
        return
    raise AssertionError("no correction can follow")


@pytest.mark.parametrize(
    ("formula", "of", "di", "later"),
    [
        (
            "single-elimination",
            "Semi-finals",
            "Semifinali",
            "final and third place",
        ),
        ("double-elimination", "Upper bracket, semi-finals", "Tabellone", "round 2"),
        ("single-group", "Round 1", "Turno 1", "round 2"),
    ],
)
def test_sentences_call_rounds_as_pages_do(
    by: Actor, formula: str, of: str, di: str, later: str
) -> None:
    facts = load_facts(make.playing(by, 4, formula=formula))
    (stage,), (item,) = facts.stages, facts.rounds
    match = stage.matches[0]
    with override("en"):
        assert match_round_label(stage, item, match) == of
        assert round_phrase_by_ordinal(stage, item.ordinal + 1) == later
    with override("it"):
        assert match_round_label(stage, item, match).startswith(di)
