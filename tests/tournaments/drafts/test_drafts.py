"""Drafts changed by hand: every act, what it stores, and what stays sound."""

import random
from contextlib import suppress

import pytest
from django.core.exceptions import PermissionDenied

from rules.errors import RuleError
from rules.matches.match_rules import Claim
from tests import factories as make
from tests.drafting import ask, bye_of, codes, draft, fresh, refused, rows, tables, two_tables, who
from tournaments.core.event_state import load_facts
from tournaments.keeping_apart import services as apart
from tournaments.models import LogLine, Match, Report
from tournaments.players.services import departures, entries, late_entries
from tournaments.results.selectors import correction_effects
from tournaments.rounds import services as rounds
from tournaments.undo.selectors import undo_options
from tournaments.undo.services import redo, undo
from tournaments.verification.event import event_notes, verify_event

pytestmark = pytest.mark.django_db

SWISS = {"formula": "swiss-cut", "format": "creatures-of-exo", "options": {"rounds": 4, "cut": 0}}


@pytest.fixture
def event(by):
    """Return an event of nine whose second round is a draft."""
    event = make.halfway(by, 9, **SWISS)
    draft(event, by)
    return event


def test_two_players_change_places_and_it_is_said_why(event, by):
    (a, b), (c, d) = two_tables(event)
    assert codes(event) == []
    ask(event, by, "swap", players=(a, c), note="Fratelli al 50%")
    assert {(min(b, c), max(b, c)), (min(a, d), max(a, d))} <= who(event)
    changed = [m for m in Match.objects.filter(round__ordinal=2) if m.reason.get("by_hand")]
    assert len(changed) == 2
    line = LogLine.objects.get(event=event, action="round.changed")
    assert (line.subject, line.reason) == ("2", "Fratelli al 50%")
    rounds.publish_round(event=event, ordinal=2, by=by)
    assert refused(event, by, "swap", players=(a, c)) == "round_published"


def test_a_player_changes_places_with_the_bye(event, by):
    rests = bye_of(event)
    (a, b), _other = two_tables(event)
    ask(event, by, "swap", players=(a, rests))
    assert {(min(b, rests), max(b, rests)), (a, None)} <= who(event)
    bye = Match.objects.exclude(match_seats__number=2).get(round__event=event, round__ordinal=2)
    assert (bye.state, bye.decision.kind, bye.version) == ("final", Report.Kind.AUTOMATIC, 1)
    played = Match.objects.filter(round__event=event, round__ordinal=2, match_seats__number=2)
    assert {(m.state, m.decision, m.version) for m in played} == {("open", None, 0)}


def test_a_broken_match_waits_until_everybody_is_paired_again(event, by):
    (a, b), _other = two_tables(event)
    match = Match.objects.get(
        round__event=event,
        round__ordinal=2,
        match_seats__number=1,
        match_seats__entry__number__in=(a, b),
    )
    ask(event, by, "break", matches=(match.pk,))
    assert codes(event) == ["unpaired", "unpaired"]
    with pytest.raises(RuleError) as error:
        rounds.publish_round(event=event, ordinal=2, by=by)
    assert error.value.code == "players_unpaired"
    assert set(error.value.sentence.values["players"]) == {a, b}
    ask(event, by, "meet", players=(b, a))
    assert codes(event) == []
    rounds.publish_round(event=event, ordinal=2, by=by)
    assert list(verify_event(fresh(event))) == []


@pytest.mark.deep
def test_a_broken_pair_may_rest_by_hand(event, by):
    (a, b), _other = two_tables(event)
    ask(event, by, "break", players=(a,))
    ask(event, by, "bye", players=(a,), note="Visita")
    assert refused(event, by, "bye", players=(a,)) == "has_bye"
    assert "byes" in codes(event)
    ask(event, by, "bye", players=(b,))
    make.play_round(rounds.publish_round(event=event, ordinal=2, by=by), by)
    make.play_stage(event, by)
    assert list(verify_event(fresh(event))) == []


HALVES = {"points_win": 2, "points_draw": 1, "points_parts": 2}


def resting(event):
    of_round = Match.objects.filter(round__event=event, round__ordinal=2)
    return of_round.exclude(match_seats__number=2).get()


@pytest.mark.deep
def test_half_a_bye_is_given_in_any_round_where_points_have_halves(by, client):
    event = make.halfway(by, 9, **SWISS, **HALVES)
    draft(event, by)
    rests, ((a, b), _other) = bye_of(event), two_tables(event)
    assert refused(event, by, "half_bye", players=(a,)) == "has_opponent"
    ask(event, by, "break", players=(a,))
    ask(event, by, "half_bye", players=(a,), note="Asked for")
    assert refused(event, by, "half_bye", players=(a,)) == "has_bye"
    assert "byes" not in codes(event)
    ask(event, by, "meet", players=(b, rests))
    assert codes(event) == [] or set(codes(event)) <= {"difference", "rematch"}
    rests = resting(event)
    told = (rests.players[0].number, rests.decision.winner, rests.decision.ended_by, rests.state)
    assert told == (a, "draw", "bye", "final")
    client.force_login(by.user)
    desk = f"/events/{event.slug}/desk/rounds/2/"
    page = client.get(desk, headers={"accept-language": "en"}).content.decode()
    assert "Half-point bye awarded by the organiser: Asked for" in page
    assert "half-point bye" in page
    make.play_round(rounds.publish_round(event=event, ordinal=2, by=by), by)
    make.play_stage(event, by)
    assert list(verify_event(fresh(event))) == []


@pytest.mark.deep
def test_half_a_bye_becomes_a_whole_one_and_back(by):
    event = make.halfway(by, 9, **SWISS, **HALVES)
    draft(event, by)
    rests = bye_of(event)
    won = []
    for action in ("half_bye", "bye", "half_bye"):
        ask(event, by, action, players=(rests,))
        won.append(resting(event).decision.winner)
    assert won == ["draw", "a", "draw"]
    (a, _b), _other = two_tables(event)
    ask(event, by, "swap", players=(a, rests))
    found = resting(event)
    assert (found.players[0].number, found.decision.winner) == (a, "a")
    undo(event=event, expected=undo_options(fresh(event)).last.line.number, by=by)
    found = resting(event)
    assert (found.players[0].number, found.decision.winner) == (rests, "draw")


@pytest.mark.deep
def test_half_byes_are_given_only_where_points_have_halves(event, by, client):
    (a, _b), _other = two_tables(event)
    ask(event, by, "break", players=(a,))
    assert refused(event, by, "half_bye", players=(a,)) == "no_half_byes"
    halves = make.halfway(by, 9, **SWISS, **HALVES)
    draft(halves, by)
    client.force_login(by.user)
    pages = [client.get(f"/events/{one.slug}/desk/rounds/2/") for one in (event, halves)]
    assert ['value="half_bye"' in page.content.decode() for page in pages] == [False, True]


@pytest.mark.deep
def test_a_late_player_meets_who_would_have_rested(event, by):
    rests = bye_of(event)
    late = late_entries.add_late_entry(event=event, name="Zita", missed="loss", by=by)
    assert codes(event) == ["missed"]
    ask(event, by, "meet", players=(rests, late.number))
    assert (rests, late.number) in who(event)
    assert codes(event) == [] or set(codes(event)) == {"difference"}
    first = Match.objects.get(round__event=event, round__ordinal=1, match_seats__entry=late)
    assert first.missed
    make.play_round(rounds.publish_round(event=event, ordinal=2, by=by), by)
    make.play_stage(event, by)
    assert list(verify_event(fresh(event))) == []


@pytest.mark.deep
def test_a_part_is_paired_anew_without_who_has_left(event, by):
    rests = bye_of(event)
    met = {player for pair in who(event, 1) if rests in pair for player in pair}
    (a, b), (c, d) = [pair for pair in two_tables(event, 3) if pair[1] not in met][:2]
    departures.withdraw(entry=event.entries.get(number=a), by=by)
    assert codes(event) == ["left"]
    ask(event, by, "repair", players=(b, rests))
    left = {player for pair in who(event) for player in pair if player is not None}
    assert a not in left
    assert (min(b, rests), max(b, rests)) in who(event)
    assert (c, d) in who(event)
    match = Match.objects.get(
        round__event=event,
        round__ordinal=2,
        match_seats__number=1,
        match_seats__entry__number__in=(b, rests),
    )
    assert match.reason["values"]["reason"]["template"].startswith(("Both", "Paired down"))
    assert (match.state, match.decision) == ("open", None)
    make.play_round(rounds.publish_round(event=event, ordinal=2, by=by), by)
    make.play_stage(event, by)
    assert list(verify_event(fresh(event))) == []


@pytest.mark.deep
def test_pairing_again_never_gives_a_pairing_of_this_draft_twice(event, by):
    found = Match.objects.filter(round__event=event, round__ordinal=2, match_seats__number=2)
    players = tuple(
        player
        for match in found[:2]
        for player in (match.players[0].number, match.players[1].number)
    )

    def pairs():
        return {pair for pair in who(event) if set(pair) & set(players)}

    seen, before = [pairs()], None
    while before != pairs():  # four players have three pairings, of which some are rematches
        before = pairs()
        with suppress(RuleError):
            ask(event, by, "repair", players=players)
            assert pairs() not in seen
            seen.append(pairs())
    assert 1 < len(seen) <= 3
    assert refused(event, by, "repair", players=players) == "no_other_pairing"


def test_chosen_tables_get_other_opponents(event, by):
    before = who(event)
    found = Match.objects.filter(round__event=event, round__ordinal=2, match_seats__number=2)
    ask(event, by, "repair", matches=tuple(m.pk for m in found), note="Di nuovo")
    assert not before & {pair for pair in who(event) if pair[1] is not None}
    assert "rematch" not in codes(event)


def test_tables_change_places_in_every_kind_of_stage(event, by):
    one, other = (
        Match.objects.get(round__event=event, round__ordinal=2, table=table) for table in (1, 3)
    )
    before = tables(event)
    ask(event, by, "table", matches=(one.pk, other.pk))
    assert tables(event) == before | {1: before[3], 3: before[1]}
    ask(event, by, "table", matches=(one.pk,), table=20)
    assert tables(event)[20] == before[1]
    assert Match.objects.get(pk=one.pk).reason == one.reason


@pytest.mark.deep
@pytest.mark.parametrize("formula", ["single-group", "single-elimination"])
def test_schedule_and_bracket_stay_but_tables_move(formula, by):
    event = make.started(by, 6, formula=formula)
    draft(event, by)
    (a, b), (c, _d) = sorted(pair for pair in who(event, 1) if pair[1] is not None)[:2]
    for action in ("swap", "meet"):
        assert refused(event, by, action, ordinal=1, players=(a, c)) == "pairings_fixed"
    assert refused(event, by, "repair", ordinal=1, players=(a, b)) == "pairings_fixed"
    assert refused(event, by, "break", ordinal=1, players=(a,)) == "pairings_fixed"
    found = Match.objects.filter(round__event=event, table__isnull=False)
    before = tables(event, 1)
    ask(event, by, "table", ordinal=1, matches=tuple(m.pk for m in found[:2]))
    assert tables(event, 1)[1] == before[2]
    rounds.publish_round(event=event, ordinal=1, by=by)
    assert list(verify_event(fresh(event))) == []


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ({"action": "swap", "players": (1,)}, "choose_two"),
        ({"action": "meet", "players": (1, 2, 3)}, "choose_two"),
        ({"action": "bye", "players": (1, 2)}, "choose_one"),
        ({"action": "swap", "players": (1, 77)}, "unknown_player"),
        ({"action": "table"}, "bad_table"),
        ({"action": "break"}, "none_chosen"),
        ({"action": "repair"}, "none_chosen"),
        ({"action": "burn"}, "bad_change"),
    ],
)
def test_nonsense_is_refused_and_nothing_changes(event, by, asked, expected):
    assert refused(event, by, **asked) == expected


def test_only_who_runs_rounds_changes_them(event, by):
    with pytest.raises(PermissionDenied):
        ask(event, make.staff(event, "judge"), "swap", players=(1, 2))
    (a, _b), (c, _d) = two_tables(event)
    ask(event, make.staff(event, "scorekeeper"), "swap", players=(a, c))


def test_the_check_list_knows_clubs_and_tables(event, by):
    (a, b), (c, _d) = two_tables(event)
    apart.add_separated_pair(event=event, numbers=(b, c), by=by)
    entries.change_entry(entry=event.entries.get(number=a), changes={"fixed_table": 30}, by=by)
    assert codes(event) == ["fixed_table"]
    ask(event, by, "swap", players=(a, c))
    assert "kept_apart" in codes(event)
    assert "fixed_table" not in codes(event)  # it is free, so it was given


@pytest.mark.deep
def test_every_change_is_undone_and_done_again_in_order(event, by):
    chance = random.Random(5)
    seen = [rows(event)[:2]]
    while len(seen) < 6:
        pairs = [pair for pair in who(event) if pair[1] is not None]
        one, other = chance.sample(sorted(pairs), 2)
        ask(event, by, chance.choice(["swap", "meet", "repair"]), players=(one[0], other[1]))
        seen.append(rows(event)[:2])
    for former in reversed(seen[:-1]):
        undo(event=event, expected=undo_options(fresh(event)).last.line.number, by=by)
        assert rows(event)[:2] == former
        assert list(verify_event(fresh(event))) == []
    redo(event=event, expected=LogLine.objects.filter(event=event).last().number, by=by)
    assert rows(event)[:2] == seen[1]


@pytest.mark.deep
def test_verify_names_what_was_paired_by_hand_and_takes_it_for_no_fault(event, by):
    assert "by_hand" not in {note.check for note in event_notes(event)}
    (a, b), (c, _d) = two_tables(event)
    ask(event, by, "swap", players=(a, c))
    make.play_round(rounds.publish_round(event=event, ordinal=2, by=by), by)
    make.play_stage(event, by)
    assert list(verify_event(fresh(event))) == []
    (note,) = [each for each in event_notes(fresh(event)) if each.check == "by_hand"]
    assert str(b) in note.words


def test_somebody_left_out_of_a_published_round_is_found(event, by):
    (a, _b), _other = two_tables(event)
    ask(event, by, "break", players=(a,))
    event.rounds.filter(ordinal=2).update(state="published")
    assert "left_out" in {finding.check for finding in verify_event(fresh(event))}


def test_a_correction_says_what_of_a_round_by_hand_would_have_been_proposed(event, by):
    (a, _b), (c, _d) = two_tables(event)
    ask(event, by, "swap", players=(a, c))
    rounds.publish_round(event=event, ordinal=2, by=by)
    facts = load_facts(fresh(event))
    match = Match.objects.select_related("round", "group", "decision").get(
        round__event=event, round__ordinal=1, table=1
    )
    played = make.results.match_rules(match, event)
    for winner, reached in (("a", []), ("b", [2])):
        turned = make.results.resolve_claim(played, Claim(games=(winner,) * 2, by_staff=True))
        effects = correction_effects(facts, match, turned)
        assert [item.ordinal for item in effects.rounds] == reached
