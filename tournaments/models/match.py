"""Matches and reports of results."""

from collections.abc import Sequence
from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from rules.results import of_two
from tournaments.models.entry import Entry
from tournaments.models.round import Round
from tournaments.models.signed import SignedRow
from tournaments.models.stage import Group
from tournaments.models.tables import ACCOUNT, CLOSED, CODE, OPEN, PLACE, SEARCHED, WRITER, Table
from tournaments.models.touched import MarkingQuerySet

MOST_SEATS = 5
"""The most players of one match."""


def side_columns(seats: Sequence[int]) -> dict[str, int | None]:
    """Return the columns a and b for the keys of those seated: both null from three players on."""
    a, b = of_two(seats, None) if len(seats) < 3 else (None, None)
    return {"a_id": a, "b_id": b}


def put_up(earlier: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return the last of ``Match.earlier`` if it says when the match is played, else nothing."""
    return earlier[-1] if earlier and "again" in earlier[-1] else {}


class Match(models.Model):
    """A match of ``size`` seats. The result that counts is ``decision``.

    One of one seat is a bye or a missed round: ``a`` is who has it. In one of two, ``a`` has seat 1
    and ``b`` seat 2. From three seats on both are null, and the seats alone say who plays.

    ``reason`` says why the two were paired: a sentence, untranslated; empty in a schedule. It holds
    ``by_hand`` where people paired them.
    ``missed``: nobody was paired; ``a`` was not there in this round and came, or came back, later.

    ``earlier`` says who had the seats before a correction gave them to others: reports up to the
    version ``until`` are of the ``seats`` named, by number. Those reports decide nothing any more.
    ``again`` in the last says that the match is still to be played, though its round was: before
    which round, 0 for now. ``beside`` is the round that was the latest then, ``table`` where it is
    played beside that.

    ``absent`` are the numbers of the players who did not come to a table of three and more while
    the others play; of a final one the decision says it.
    """

    class State(models.TextChoices):
        OPEN = "open", _("Playing")
        REPORTED = "reported", _("Reported")
        DISPUTED = "disputed", _("Disputed")
        FINAL = "final", _("Final")

    round = models.ForeignKey(Round, models.CASCADE, related_name="matches")
    group = models.ForeignKey(Group, models.CASCADE, related_name="matches")
    number = models.PositiveSmallIntegerField()
    table = models.PositiveSmallIntegerField(null=True, blank=True)
    size = models.PositiveSmallIntegerField(default=2)
    a = models.ForeignKey(Entry, models.RESTRICT, null=True, related_name="matches_as_a")
    b = models.ForeignKey(Entry, models.RESTRICT, null=True, related_name="matches_as_b")
    leg = models.PositiveSmallIntegerField(default=1)
    best_of = models.PositiveSmallIntegerField(default=1)
    draws = models.BooleanField(default=True)
    version = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=8, choices=State, default=State.OPEN)
    reason = models.JSONField(default=dict, blank=True)
    missed = models.BooleanField(default=False)
    earlier = models.JSONField(default=list, blank=True)
    absent = models.JSONField(default=list, blank=True)
    decision = models.OneToOneField(
        "Report", models.RESTRICT, null=True, blank=True, related_name="decides"
    )

    objects = MarkingQuerySet["Match"].as_manager()

    declared = Table(
        {
            "group number table a b leg best_of draws version state missed decision": OPEN,
            "size": "follows from the seats",
            "reason": (CLOSED, "why the two were paired, in words of the program"),
            "earlier absent": (OPEN, CODE),
            "round": PLACE,
        },
        key="matches",
        later={"decision": None, "state": str(State.OPEN)},
        freed={"table": None},
        api="round group table a b best_of version state reason",
    )

    class Meta:
        ordering = ["round", "number"]
        verbose_name_plural = "matches"
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="match_number_once"),
            models.UniqueConstraint(
                fields=["round", "table"],
                condition=models.Q(table__isnull=False),
                name="table_once_a_round",
            ),
            models.CheckConstraint(
                condition=models.Q(b__isnull=True) | ~models.Q(a=models.F("b")),
                name="nobody_meets_themselves",
            ),
            models.CheckConstraint(
                condition=models.Q(size__range=(1, MOST_SEATS)), name="seats_of_a_match"
            ),
            models.CheckConstraint(
                condition=models.Q(a__isnull=False, size__lt=3)
                | models.Q(a__isnull=True, size__gte=3),
                name="a_unless_three_or_more",
            ),
            models.CheckConstraint(
                condition=models.Q(b__isnull=False, size=2)
                | (models.Q(b__isnull=True) & ~models.Q(size=2)),
                name="b_where_two",
            ),
            models.CheckConstraint(
                condition=~models.Q(state="final") | models.Q(decision__isnull=False),
                name="final_has_a_decision",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.round} – {self.number}"

    @property
    def seats(self) -> tuple[int, ...]:
        """Return the keys of the players in the order of their seats; a query from three on."""
        if self.size < 3:
            return tuple(filter(None, (self.a_id, self.b_id)))
        seated = self.match_seats.order_by("number")
        return tuple(seated.values_list("entry_id", flat=True))

    @property
    def players(self) -> tuple[Entry, ...]:
        """Return the players in the order of their seats; a query from three on."""
        if self.size < 3:
            return tuple(filter(None, (self.a, self.b)))
        seated = self.match_seats.order_by("number").select_related("entry")
        return tuple(seat.entry for seat in seated)

    def give_to(self, players: Sequence[Entry]) -> None:
        """Put as many players on the seats, unsaved; reports so far stay the others'.

        From three on the rows of their seats alone say who sits there: see `seats_of`.
        """
        self.earlier = self.earlier_with_now()
        if self.size < 3:
            self.a, self.b = of_two(players, None)

    def earlier_with_now(self) -> list[dict[str, Any]]:
        """Return ``earlier`` with who sits here now; a query from three on."""
        seats = [player.number for player in self.players]
        return [*self.earlier, {"until": self.version, "seats": seats}]

    @property
    def plays_at(self) -> int | None:
        """Return the table where it is played: beside a later round another than in its own."""
        table: int | None = put_up(self.earlier).get("table", self.table)
        return table

    @property
    def version_before(self) -> int:
        """Return the last version of reports of players who sat here before; usually 0."""
        return int(self.earlier[-1]["until"]) if self.earlier else 0

    @property
    def extra_minutes(self) -> int:
        """Return the extra minutes of the table; 0 unless annotated with ``minutes_given``."""
        return int(getattr(self, "minutes_given", 0))


class MatchSeat(models.Model):
    """A player's seat in a match, ``number`` from 1; nobody has two seats in one round."""

    round = models.ForeignKey(Round, models.CASCADE, related_name="match_seats")
    match = models.ForeignKey(Match, models.CASCADE, related_name="match_seats")
    entry = models.ForeignKey(Entry, models.RESTRICT, related_name="match_seats")
    number = models.PositiveSmallIntegerField(default=1)

    objects = MarkingQuerySet["MatchSeat"].as_manager()

    declared = Table(
        {"entry number": OPEN, "round": "follows from the match", "match": PLACE},
        key="match_seats",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["round", "entry"], name="entry_once_a_round"),
            models.UniqueConstraint(fields=["match", "number"], name="seat_once_a_match"),
        ]

    def __str__(self) -> str:
        return f"{self.match} {self.entry}"


class Report(SignedRow):
    """A report of a result. Reports are only added.

    At a table of three and more ``winner`` is empty: ``places`` holds the place of each seat, null
    for one that has none, and is null if the table does not count; ``marks`` those of single seats
    (absent, conceded, disqualified), by number.
    """

    class Kind(models.TextChoices):
        REPORT = "report", _("Reported by a player")
        CONFIRMATION = "confirmation", _("Confirmed by the opponent")
        DENIAL = "denial", _("Contradicted by a player at the table")
        DECISION = "decision", _("Entered by the staff")
        AUTOMATIC = "automatic", _("By rule")

    match = models.ForeignKey(Match, models.CASCADE, related_name="reports")
    version = models.PositiveIntegerField()
    kind = models.CharField(max_length=12, choices=Kind)
    winner = models.CharField(max_length=4, blank=True)
    score_a = models.PositiveSmallIntegerField(null=True, blank=True)
    score_b = models.PositiveSmallIntegerField(null=True, blank=True)
    games = models.JSONField(default=list)
    games_a = models.PositiveSmallIntegerField(null=True, blank=True)
    games_b = models.PositiveSmallIntegerField(null=True, blank=True)
    games_drawn = models.PositiveSmallIntegerField(null=True, blank=True)
    ended_by = models.CharField(max_length=16)
    tie_break = models.CharField(max_length=12, blank=True)
    by_decision = models.BooleanField(default=False)
    places = models.JSONField(null=True, blank=True, default=None)
    marks = models.JSONField(null=True, blank=True, default=None)
    note = models.CharField(max_length=500, blank=True)
    at = models.DateTimeField(auto_now_add=True)
    by_entry = models.ForeignKey(
        Entry, models.SET_NULL, null=True, blank=True, related_name="reports"
    )

    objects = MarkingQuerySet["Report"].as_manager()

    declared = Table(
        {
            "version kind score_a score_b games_a games_b games_drawn by_decision at": OPEN,
            "winner games ended_by tie_break places marks": (OPEN, CODE),
            "note": (CLOSED, SEARCHED),
            "by_entry": CLOSED,
            "match": PLACE,
            "by": ACCOUNT,
            "by_name": (ACCOUNT, WRITER),
        },
        key="reports",
        api=(
            "winner games ended_by score_a=score score_b=score games_a=games_won "
            "games_b=games_won places marks"
        ),
    )

    class Meta:
        ordering = ["match", "version"]
        constraints = [
            models.UniqueConstraint(fields=["match", "version"], name="report_version_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match} v{self.version}"
