"""Results told by the players of a table: more than half decide, one who contradicts stops it."""

import logging
import re

import pytest
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from rules.results import SeatMark, Winner
from tests import factories as make
from tests.browsers import signed_in, url
from tests.effort import how_many
from tournaments.core.permissions import Actor
from tournaments.matches.selectors import staff_match_context
from tournaments.matches.words import reporter_name
from tournaments.models import Event, Match
from tournaments.players.services import entries
from tournaments.players.services.departures import disqualify, withdraw
from tournaments.results.services.reports import confirm_result, dispute_result, report_result
from tournaments.results.services.results import confirm_reports_if_due, decide_result, mark_absent
from tournaments.undo.services import undo
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db


WON = Claim(first=1)


class Told:
    """A table whose players tell its result."""

    def __init__(self, by: Actor, size: int = 4) -> None:
        self.event = make.playing(by, 7, **make.TABLES, confirm_after=10)
        played = Match.objects.filter(round__event=self.event)
        self.pk = next(match for match in played if match.size == size).pk

    @property
    def match(self) -> Match:
        return Match.objects.select_related("round__event", "group__stage").get(pk=self.pk)

    def actor(self, seat: int) -> Actor:
        return Actor(entry=self.match.players[seat - 1])

    def says(self, seat: int, claim: Claim = WON) -> str:
        report_result(match=self.match, claim=claim, by=self.actor(seat))
        return self.match.state

    def confirms(self, seat: int) -> str:
        confirm_result(match=self.match, version=self.match.version, by=self.actor(seat))
        return self.match.state

    def denies(self, seat: int) -> str:
        dispute_result(match=self.match, version=self.match.version, by=self.actor(seat))
        return self.match.state


@pytest.fixture
def quorum(by):
    return Told(by)


def test_another_result_is_a_dispute_and_taken_back_it_is_reported_again(quorum):
    quorum.says(1)
    assert quorum.says(2, Claim(first=2)) == "disputed"
    assert quorum.says(2) == "reported"
    assert quorum.says(4) == "final"


def test_two_of_three_are_enough(by):
    table = Told(by, size=3)
    assert table.says(1) == "reported"
    assert table.says(2) == "final"


def test_said_twice_or_by_somebody_else_nothing_is_stored(quorum, by):
    quorum.says(1)
    version = quorum.match.version
    quorum.says(1)
    quorum.confirms(1)
    assert quorum.match.version == version
    quorum.denies(2)
    version = quorum.match.version
    quorum.denies(2)
    assert quorum.match.version == version
    with pytest.raises(PermissionDenied):
        report_result(match=quorum.match, claim=WON, by=by)


def test_a_judge_decides_a_dispute(quorum, by):
    quorum.says(1)
    quorum.denies(2)
    decide_result(match=quorum.match, version=quorum.match.version, claim=Claim(first=2), by=by)
    assert quorum.match.state == "final"
    for act in (lambda: quorum.says(3), lambda: quorum.denies(3)):
        with pytest.raises(RuleError):
            act()
    assert quorum.match.decision.places == [2, 1, 2, 2]


def test_players_say_their_own_concession_and_nothing_of_the_staff(quorum):
    own = Claim(first=1, marks=((2, SeatMark.CONCEDED),))
    assert quorum.says(2, own) == "reported"
    assert quorum.match.reports.get().marks == {"2": "conceded"}
    for claim in (
        Claim(first=1, marks=((3, SeatMark.CONCEDED),)),
        Claim(first=1, marks=((4, SeatMark.ABSENT),)),
        Claim(winner=Winner.NONE),
        Claim(winner=Winner.VOID),
    ):
        assert make.refusal(quorum.says, 4, claim) == "impossible_result"
    assert quorum.match.version == 1


def test_who_has_left_is_not_counted(quorum, by):
    quorum.says(1)
    withdraw(entry=quorum.match.players[3], by=by)
    assert quorum.match.state == "reported"
    assert quorum.confirms(2) == "final"


@pytest.mark.deep
@pytest.mark.usefixtures("in_english")
def test_who_leaves_makes_final_what_more_than_half_of_the_others_said(quorum, by):
    quorum.says(1)
    assert quorum.confirms(2) == "reported"
    left = quorum.match.players[3]
    withdraw(entry=left, by=by)
    match = quorum.match
    assert (match.state, match.decision.places) == ("final", [1, 2, 2, 2])
    told = match.decision
    assert (told.kind, told.by, told.by_entry) == ("confirmation", None, None)
    assert staff_match_context(match)["reports"][-1].who == reporter_name(told) == "By rule"
    line = quorum.event.log.last()
    assert (line.action, line.after["agreed"]) == ("entry.withdraw", [match.table])
    assert [str(found) for found in verify_event(quorum.event)] == []
    undo(event=quorum.event, expected=line.number, by=by)
    assert (quorum.match.state, quorum.match.decision) == ("reported", None)
    left.refresh_from_db()
    assert left.plays
    assert quorum.confirms(3) == "final"
    assert [str(found) for found in verify_event(quorum.event)] == []


@pytest.mark.deep
def test_a_dispute_ends_with_whoever_contradicted_alone(quorum, by):
    quorum.says(1)
    assert quorum.denies(4) == "disputed"
    disqualify(entry=quorum.match.players[3], reason="Cheating", by=by)
    assert quorum.match.state == "reported"
    undo(event=quorum.event, expected=quorum.event.log.last().number, by=by)
    assert quorum.match.state == "disputed"
    assert quorum.confirms(2) == "disputed"
    disqualify(entry=quorum.match.players[3], reason="Cheating", by=by)
    assert (quorum.match.state, quorum.match.decision.places) == ("final", [1, 2, 2, None])
    assert [str(found) for found in verify_event(quorum.event)] == []


def test_a_report_that_nobody_contradicts_becomes_final_by_time(quorum, monkeypatch):
    quorum.says(1)
    later = timezone.now() + timezone.timedelta(minutes=11)
    monkeypatch.setattr(timezone, "now", lambda: later)
    confirm_reports_if_due(quorum.event)
    assert quorum.match.state == "final"
    assert quorum.match.decision.places == [1, 2, 2, 2]


SEATS = st.integers(1, 4)
CLAIMS = {
    "1": Claim(first=1),
    "2": Claim(first=2),
    "=": Claim(drawn=()),
}


class Machine(RuleBasedStateMachine):
    """A table of four; beside it a plain account of what each seat said last."""

    def __init__(self) -> None:
        super().__init__()
        self.whole = transaction.atomic()
        self.whole.__enter__()
        self.by = make.organiser()
        self.event = make.playing(self.by, 4, **make.TABLES)
        self.said: dict[int, str] = {}
        self.denied: set[int] = set()
        self.gone: set[int] = set()
        self.last: tuple[int, str] | None = None
        self.over = False

    @property
    def match(self) -> Match:
        return Match.objects.select_related("round__event", "group__stage").get(
            round__event=self.event
        )

    def tell(self, seat: int, act: object) -> bool:
        """Let a seat do something; return whether something was stored."""
        if seat in self.gone:
            return False
        version = self.match.version
        try:
            with transaction.atomic():
                act()  # type: ignore[operator]
        except (RuleError, BadInput):
            assert self.match.version == version
            return False
        return self.match.version > version

    def actor(self, seat: int) -> Actor:
        return Actor(entry=self.match.players[seat - 1])

    @rule(seat=SEATS, claim=st.sampled_from(sorted(CLAIMS)))
    def says(self, seat: int, claim: str) -> None:
        """Report a result."""
        stored = self.tell(
            seat,
            lambda: report_result(match=self.match, claim=CLAIMS[claim], by=self.actor(seat)),
        )
        if stored:
            self.said[seat], self.last = claim, (seat, claim)
            self.denied.discard(seat)
            self.look()
        elif seat not in self.gone:
            same = self.said.get(seat) == claim and seat not in self.denied
            assert self.over or same or self.gone, (seat, claim)

    @rule(seat=SEATS)
    def confirms(self, seat: int) -> None:
        """Say that what was reported last is right."""
        match = self.match
        stored = self.tell(
            seat,
            lambda: confirm_result(match=match, version=match.version, by=self.actor(seat)),
        )
        if stored:
            assert self.last is not None
            self.said[seat] = self.last[1]
            self.denied.discard(seat)
            self.look()

    @rule(seat=SEATS)
    def denies(self, seat: int) -> None:
        """Say that what was reported last is wrong."""
        match = self.match
        stored = self.tell(
            seat,
            lambda: dispute_result(match=match, version=match.version, by=self.actor(seat)),
        )
        if stored:
            assert self.last is not None
            assert self.last[0] != seat
            self.denied.add(seat)
            self.look()

    @rule(seat=st.integers(3, 4))
    def leaves(self, seat: int) -> None:
        """Drop from the event; two stay at least."""
        if seat not in self.gone and not self.over:
            told = self.match.version > 0
            withdraw(entry=self.match.players[seat - 1], by=self.by)
            self.gone.add(seat)
            if told:
                self.look()

    @rule(claim=st.sampled_from(sorted(CLAIMS)))
    def judge_decides(self, claim: str) -> None:
        """Enter the result as the staff, where there is a dispute."""
        match = self.match
        if match.state == Match.State.DISPUTED:
            decide_result(match=match, version=match.version, claim=CLAIMS[claim], by=self.by)
            self.over = True
            assert self.match.decision.kind == "decision"

    def look(self) -> None:
        """Hold the match against what the seats that are there said last."""
        there = {seat for seat in range(1, 5) if seat not in self.gone}
        said = {self.said[seat] for seat in there & self.said.keys() - self.denied}
        agree = len(there & self.said.keys() - self.denied)
        if there & self.denied or len(said) > 1:
            wanted = "disputed"
        else:
            wanted = "final" if agree >= len(there) // 2 + 1 else "reported"
        assert self.match.state == wanted, (self.said, self.denied, self.gone)
        if wanted == "final":
            self.over = True
            first = {"1": [1, 2, 2, 2], "2": [2, 1, 2, 2], "=": [1, 1, 1, 1]}[said.pop()]
            places = self.match.decision.places
            assert [places[seat - 1] == 1 for seat in there] == [first[s - 1] == 1 for s in there]

    @invariant()
    def stays_sound(self) -> None:
        match = self.match
        assert (match.state == Match.State.FINAL) == (match.decision is not None)
        assert match.reports.count() == match.version
        marks = match.decision.marks or {} if match.decision else {}
        assert set(marks.values()) <= {SeatMark.CONCEDED}

    def teardown(self) -> None:
        try:
            found = verify_event(Event.objects.get(pk=self.event.pk))
            assert [str(one) for one in found] == []
        finally:
            transaction.set_rollback(True)
            self.whole.__exit__(None, None, None)


@pytest.mark.deep
def test_more_than_half_decide_and_whoever_contradicts_stops_it() -> None:
    logging.disable(logging.CRITICAL)
    try:
        run_state_machine_as_test(
            Machine,
            settings=settings(
                max_examples=how_many(0.06),
                stateful_step_count=12,
                deadline=None,
                derandomize=True,
                phases=[Phase.explicit, Phase.generate, Phase.shrink],
                suppress_health_check=list(HealthCheck),
            ),
        )
    finally:
        logging.disable(logging.NOTSET)


class Table:
    """A table whose players each have a phone."""

    def __init__(self, by, **settings):
        self.event = make.playing(by, 4, **make.TABLES, **settings)
        self.phones = [self.phone(by, player) for player in self.match.players]

    @property
    def match(self):
        return Match.objects.get(round__event=self.event)

    def phone(self, by, player):
        client = Client(headers={"accept-language": "en"})
        client.get(reverse("tournaments:open-link", args=[entries.make_link(entry=player, by=by)]))
        return client

    def me(self, seat):
        page = self.phones[seat - 1].get(reverse("tournaments:me", args=[self.event.slug]))
        return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode()))

    def send(self, seat, name, **fields):
        url = reverse(f"tournaments:my-{name}", args=[self.event.slug, self.match.pk])
        answer = self.phones[seat - 1].post(url, {"version": self.match.version} | fields)
        return answer.status_code, self.match.state


@pytest.fixture
def table(by):
    return Table(by)


def test_the_page_says_table_seat_who_begins_and_the_company(table):
    names = [player.display_name for player in table.match.players]
    second = table.me(2)
    assert "Seat 2/4" in second
    assert f"Goes first: {names[0]}" in " ".join(second.split())
    asked = second.partition("Who won?")[2]
    assert all(name in asked for name in (names[0], names[2], names[3]))
    assert "Goes first: You" in " ".join(table.me(1).split())


@pytest.mark.deep
def test_one_tap_reports_and_more_than_half_make_it_final(table):
    assert table.send(1, "report", preset="3") == (302, "reported")
    third = table.me(3)
    assert "Agreed: 1 of 4. Still needed: 2." in third
    assert "Yes, that’s right" in third
    assert "Yes, that’s right" not in table.me(1)
    assert table.send(2, "confirm") == (302, "reported")
    assert "Agreed: 2 of 4. Still needed: 1." in table.me(4)
    assert table.send(4, "confirm") == (302, "final")
    assert table.match.decision.places == [2, 2, 1, 2]
    others = ", ".join(player.name for player in table.match.players[1:])
    assert f"{others} :" in table.me(1)


def test_players_with_an_account_are_told_apart_too(by, table):
    first, second, *_others = table.match.players
    for player in (first, second):
        player.user = make.user()
        player.save()
    for seat, player in ((1, first), (2, second)):
        table.phones[seat - 1] = signed_in(Actor(user=player.user))
    assert table.send(1, "report", preset="3") == (302, "reported")
    assert table.send(2, "confirm") == (302, "reported")
    assert "Agreed: 2 of 4. Still needed: 1." in table.me(4)
    assert "Yes, that’s right" not in table.me(1)
    desk = signed_in(by).get(url("desk", table.event))
    assert desk.status_code == 200
    assert "Agreed: 2 of 3" in desk.content.decode()


def test_one_contradicts_and_a_judge_is_awaited_until_they_confirm(table):
    table.send(1, "report", preset="1")
    assert table.send(2, "contradict") == (302, "disputed")
    page = table.me(3)
    assert "Disagrees" in page
    assert "A judge is coming." in page
    assert table.send(2, "confirm") == (302, "reported")
    assert "Agrees" in table.me(4)


def test_a_draw_names_who_was_left_and_a_concession_is_the_own(table):
    assert table.send(2, "report", preset="drawn", drawn=["1", "3"]) == (302, "reported")
    assert table.match.reports.get().places == [1, 3, 1, 3]
    assert table.send(2, "report", preset="conceded-4") == (302, "reported")
    told = table.match.reports.order_by("version").last()
    assert (told.places, told.marks) == ([2, 2, 2, 1], {"2": "conceded"})


@pytest.mark.parametrize(
    "fields",
    [
        *({"preset": "5"}, {"preset": "x"}, {}, {"preset": "conceded-2"}),
        *({"preset": "drawn", "drawn": ["2"]}, {"preset": "drawn"}),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence(table, fields):
    assert table.send(2, "report", **fields) == (400, "open")


def test_contradicting_an_old_page_or_nothing_is_refused(table):
    assert table.send(1, "contradict")[0] == 409
    table.send(1, "report", preset="1")
    assert table.send(2, "contradict", version=0) == (409, "reported")


@pytest.mark.deep
def test_where_points_go_by_place_everybody_gets_one(by):
    table = Table(by, table_points={"preset": "places"})
    assert "Final order" in table.me(2)
    assert "I won" not in table.me(2)
    order = {f"place_{seat}": place for seat, place in enumerate("2314", start=1)}
    assert table.send(2, "report", preset="order", **order) == (302, "reported")
    assert "1st" in table.me(3)
    first, second, _third, fourth = [player.display_name for player in table.match.players]
    assert f"Points: You 4 · {first} 3 · {second} 2 · {fourth} 1" in table.me(3)
    assert table.match.reports.get().places == [2, 3, 1, 4]
    assert table.send(1, "report", preset="order", place_1="1")[0] == 400


@pytest.mark.deep
def test_open_lists_are_those_of_the_whole_company(by):
    table = Table(by, decklists="required", open_lists=["tables"])
    names = [player.display_name for player in table.match.players]
    said = table.me(2)
    assert all(f"Decklist: {name}" in said for name in (names[0], names[2], names[3]))
    assert "opponent" not in said
    table.send(1, "report", preset="1")
    assert all(name in table.me(2) for name in names if name != names[1])


def test_who_is_absent_reads_it_and_nobody_is_asked_whether_they_won(table, by):
    absent = Claim(marks=((4, SeatMark.ABSENT),))
    mark_absent(match=table.match, version=0, claim=absent, by=by)
    last = table.match.players[3].display_name
    assert last not in table.me(1).partition("Who won?")[2].partition("A draw")[0]
    assert "You are marked as absent." in table.me(4)
    assert "Who won?" not in table.me(4)
