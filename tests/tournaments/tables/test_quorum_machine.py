"""What the players of a table tell, in any order: what is stored is what more than half agree on.

Source: tables, 7.
"""

import logging

import pytest
from django.db import transaction
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from rules.errors import BadInput, RuleError
from rules.matches.match_rules import Claim
from rules.results import Mark
from tests import factories as make
from tests.effort import how_many
from tournaments.core.permissions import Actor
from tournaments.models import Event, Match
from tournaments.players.services.departures import withdraw
from tournaments.results.services.reports import confirm_result, report_result
from tournaments.results.services.results import decide_result
from tournaments.results.services.table_reports import contradict_result
from tournaments.verification.event import verify_event

pytestmark = pytest.mark.django_db
SEATS = st.integers(1, 4)
CLAIMS = {
    "1": Claim(first=1),
    "2": Claim(first=2),
    "=": Claim(drawn=()),
}


class Table(RuleBasedStateMachine):
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
            lambda: contradict_result(match=match, version=match.version, by=self.actor(seat)),
        )
        if stored:
            assert self.last is not None
            assert self.last[0] != seat
            self.denied.add(seat)
            self.look()

    @rule(seat=st.integers(3, 4))
    def leaves(self, seat: int) -> None:
        """Leave the event; two stay at least."""
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
        assert set(marks.values()) <= {Mark.CONCEDED}

    def teardown(self) -> None:
        try:
            found = verify_event(Event.objects.get(pk=self.event.pk))
            assert [str(one) for one in found] == []
        finally:
            transaction.set_rollback(True)
            self.whole.__exit__(None, None, None)


def test_more_than_half_decide_and_whoever_contradicts_stops_it() -> None:
    logging.disable(logging.CRITICAL)
    try:
        run_state_machine_as_test(
            Table,
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
