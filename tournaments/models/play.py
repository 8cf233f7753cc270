"""What is played: stages, groups, seats, rounds, matches, and reports of results."""

from collections.abc import Iterable, Sequence
from typing import Any

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from tournaments.models.entry import Entry
from tournaments.models.event import Event
from tournaments.models.tables import (
    ACCOUNT,
    CLOSED,
    CODE,
    OPEN,
    PLACE,
    SEARCHED,
    WRITER,
    MarkingQuerySet,
    SignedRow,
    Table,
)


class Stage(models.Model):
    """A part of an event with one kind of pairing; the event's plan describes it.

    ``places`` are player numbers by place code, stored when the stage closes. ``seed`` decides
    between equal choices of Swiss pairing; it is made when the stage opens and public once it is
    closed, so that anybody can pair the rounds again. ``legs``: matches of each pair in a round
    robin.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("To come")
        OPEN = "open", _("In progress")
        CLOSED = "closed", _("Closed")

    event = models.ForeignKey(Event, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    key = models.CharField(max_length=40)
    kind = models.CharField(max_length=40)
    legs = models.PositiveSmallIntegerField(default=1)
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    places = models.JSONField(default=dict)
    seed = models.CharField(max_length=64, blank=True)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)

    objects = MarkingQuerySet["Stage"].as_manager()

    declared = Table(
        {
            "number legs state opened_at closed_at": OPEN,
            "key kind places seed": (OPEN, CODE),
            "event": PLACE,
        },
        key="stages",
        freed={"state": str(State.CLOSED)},
        api="number key kind legs state places",
    )

    class Meta:
        ordering = ["event", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="stage_number_once"),
            models.UniqueConstraint(
                fields=["event"], condition=models.Q(state="open"), name="one_open_stage"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.event} – {self.number} {self.key}"


class Group(models.Model):
    """A group of a stage; a knock-out has one for all players."""

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="groups")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=40)

    objects = MarkingQuerySet["Group"].as_manager()

    declared = Table(
        {"number": OPEN, "name": (OPEN, "“A”, “B”"), "stage": PLACE},
        key="groups",
    )

    class Meta:
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="group_number_once"),
            models.UniqueConstraint(fields=["stage", "name"], name="group_name_once"),
        ]

    def __str__(self) -> str:
        return self.name


class Seat(models.Model):
    """A seat of a group, numbered from 1; free without an entry.

    If ``struck_at`` is set, all matches of the entry in the group are void.
    """

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="seats")
    group = models.ForeignKey(Group, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    entry = models.ForeignKey(Entry, models.RESTRICT, null=True, blank=True, related_name="seats")
    struck_at = models.DateTimeField(null=True, blank=True)

    objects = MarkingQuerySet["Seat"].as_manager()

    declared = Table(
        {"number entry struck_at": OPEN, "stage": "follows from the group", "group": PLACE},
        key="seats",
    )

    class Meta:
        ordering = ["group", "number"]
        constraints = [
            models.UniqueConstraint(fields=["group", "number"], name="seat_number_once"),
            models.UniqueConstraint(
                fields=["stage", "entry"],
                condition=models.Q(entry__isnull=False),
                name="entry_seated_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.group} {self.number}"


def tied_player_sets(level: Sequence[Any]) -> tuple[tuple[int, ...], ...]:
    """Return the sets of tied player numbers in ``Round.level``.

    It lists one set or several.
    """
    if not level:
        return ()
    nested = isinstance(level[0], list)
    return tuple(map(tuple, level if nested else [level]))


class Round(models.Model):
    """A round; ``ordinal`` counts through the event, ``number`` in the stage.

    ``apart`` are pairs of player numbers that a Swiss round avoided. ``level`` is empty unless the
    round consists of tiebreaker matches: then the numbers of the tied players, one list or several;
    the results only order these players. ``cost`` is the seating cost of multiplayer tables
    (``rules.tables.field.SeatingCost``), with ``proven`` and ``method``; null for other rounds.
    """

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        PUBLISHED = "published", _("Published")

    event = models.ForeignKey(Event, models.CASCADE, related_name="rounds")
    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    ordinal = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=9, choices=State, default=State.DRAFT)
    drafted_at = models.DateTimeField(auto_now_add=True)
    drafted_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+"
    )
    published_at = models.DateTimeField(null=True, blank=True)
    apart = models.JSONField(default=list, blank=True)
    level = models.JSONField(default=list, blank=True)
    cost = models.JSONField(null=True, blank=True, default=None)

    objects = MarkingQuerySet["Round"].as_manager()

    declared = Table(
        {
            "stage number ordinal state drafted_at published_at": OPEN,
            "level cost": (OPEN, CODE),
            "apart": (CLOSED, CODE),
            "event": PLACE,
            "drafted_by": ACCOUNT,
        },
        key="rounds",
        api="ordinal=number stage state level cost",
    )

    class Meta:
        ordering = ["event", "ordinal"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="round_number_once"),
            models.UniqueConstraint(fields=["event", "ordinal"], name="round_ordinal_once"),
        ]

    def __str__(self) -> str:
        return f"{self.event} – {self.ordinal}"

    @property
    def is_extra(self) -> bool:
        """Return whether this is a round of tiebreaker matches, outside the schedule of the
        stage."""
        return bool(self.level)

    @property
    def level_sets(self) -> tuple[tuple[int, ...], ...]:
        """Return the sets of level players of a round of tiebreaker matches; else empty."""
        return tied_player_sets(self.level)


MOST_SEATS = 5
"""The most players of one match."""


def replay_schedule(earlier: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return when and where a match is replayed: last of ``Match.earlier``, or {}.

    Keys are those described at ``Match``; {} unless a correction requires a replay.
    """
    return earlier[-1] if earlier and "again" in earlier[-1] else {}


class MatchQuerySet(MarkingQuerySet["Match"]):
    """QuerySet of matches that can be filtered by the number of players."""

    def of_tables(self) -> "MatchQuerySet":
        """Return those of three players and more."""
        return self.filter(models.Exists(_seat_of(3)))

    def of_two(self) -> "MatchQuerySet":
        """Return those of two players."""
        return self.filter(models.Exists(_seat_of(2)), ~models.Exists(_seat_of(3)))


def _seat_of(number: int) -> "models.QuerySet[MatchSeat]":
    return MatchSeat.objects.filter(match=models.OuterRef("pk"), number=number)


class Match(models.Model):
    """A match between the players of its ``match_seats``; ``decision`` is its result.

    A match with one seat is a bye or a missed round (``missed``: the player was absent and came, or
    came back, later). ``reason`` says why the players were paired: an untranslated sentence, with
    ``by_hand`` if people paired them, empty in a schedule. ``version`` counts the reports.

    ``earlier`` lists the players who had the seats before corrections: reports up to version
    ``until`` are by the players with the numbers ``seats``, and decide nothing. If the last item
    has ``again``, the match is to be played before the round with that ordinal (0: now), alongside
    the round ``beside`` at ``table``.

    ``absent`` are the numbers of players who did not come to a multiplayer table while the others
    play; once it is final, the decision says so.
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

    objects = MatchQuerySet.as_manager()

    declared = Table(
        {
            "group number table leg best_of draws version state missed decision": OPEN,
            "reason": (CLOSED, "why the two were paired, in words of the program"),
            "earlier absent": (OPEN, CODE),
            "round": PLACE,
        },
        key="matches",
        later={"decision": None, "state": str(State.OPEN)},
        freed={"table": None},
        api="round group table best_of version state reason",
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
                condition=~models.Q(state="final") | models.Q(decision__isnull=False),
                name="final_has_a_decision",
            ),
        ]

    _seated: tuple["MatchSeat", ...] | None = None

    def __str__(self) -> str:
        return f"{self.round} – {self.number}"

    def sit(self, seats: Iterable["MatchSeat"]) -> None:
        """Say who has the seats, in their order, as they are or will be stored."""
        self._seated = tuple(seats)

    @property
    def seated(self) -> tuple["MatchSeat", ...]:
        """Return the seats in their order, with their players; a query unless they are known."""
        if self._seated is None:
            self.sit(self.match_seats.select_related("entry").order_by("number"))
        return self._seated or ()

    @property
    def size(self) -> int:
        """Return the number of seats; a query as `seated`."""
        return len(self.seated)

    @property
    def seats(self) -> tuple[int, ...]:
        """Return the keys of the players in the order of their seats; a query as `seated`."""
        return tuple(seat.entry_id for seat in self.seated)

    @property
    def players(self) -> tuple[Entry, ...]:
        """Return the players in the order of their seats; a query as `seated`."""
        return tuple(seat.entry for seat in self.seated)

    def refresh_from_db(self, *args: Any, **kwargs: Any) -> None:
        """Read the row anew; who has its seats is asked again."""
        self._seated = None
        super().refresh_from_db(*args, **kwargs)

    def give_to(self, players: Sequence[Entry]) -> None:
        """Put as many players on the seats, unsaved; reports so far stay the others'."""
        self.earlier = self.earlier_with_now()
        self.sit(build_seats(self, [player.pk for player in players]))
        for seat, player in zip(self.seated, players, strict=True):
            seat.entry = player

    def earlier_with_now(self) -> list[dict[str, Any]]:
        """Return ``earlier`` with who sits here now; a query as `seated`."""
        seats = [player.number for player in self.players]
        return [*self.earlier, {"until": self.version, "seats": seats}]

    @property
    def plays_at(self) -> int | None:
        """Return the table where it is played: beside a later round another than in its own."""
        table: int | None = replay_schedule(self.earlier).get("table", self.table)
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
    """A player's seat in a match, ``number`` from 1; one seat per player and round."""

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
            models.CheckConstraint(
                condition=models.Q(number__range=(1, MOST_SEATS)), name="seats_of_a_match"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.match} {self.entry}"


def build_seats(match: Match, players: Iterable[int]) -> list[MatchSeat]:
    """Return unsaved seats of a stored match, numbered in the order of ``players``.

    ``players``: primary keys of entries.
    """
    return [
        MatchSeat(round_id=match.round_id, match=match, entry_id=player, number=number)
        for number, player in enumerate(players, start=1)
    ]


def matches_with_players(*related: str, **which: Any) -> list[Match]:
    """Return matches loaded with their players, by round and number; one query.

    ``which`` are filters on matches; ``related`` are loaded too, as by `select_related`.
    """
    conditions = {f"match__{name}": value for name, value in which.items()}
    joined = MatchSeat.objects.select_related("match", *(f"match__{name}" for name in related))
    seats = joined.select_related("entry").filter(**conditions)
    return seated_matches(seats.order_by("match__round", "match__number", "number"))


def seated_matches(seats: Iterable[MatchSeat]) -> list[Match]:
    """Return the matches of loaded seats, each with its seats attached.

    ``seats`` are loaded with their match; matches keep their order. No query.
    """
    found: dict[int, list[MatchSeat]] = {}
    for seat in seats:
        found.setdefault(seat.match_id, []).append(seat)
    for each in found.values():
        each[0].match.sit(each)
    return [each[0].match for each in found.values()]


class Report(SignedRow):
    """A report of a match's result; reports are only added.

    ``winner`` is a value of ``Winner``; ``_a`` and ``_b`` are the players of seats 1 and 2. At a
    multiplayer table ``winner`` is "": ``places`` are by seat, null for a seat without place, or
    null if the table is void; ``marks`` are absent, conceded or disqualified, by seat number.
    """

    class Kind(models.TextChoices):
        REPORT = "report", _("Reported by a player")
        CONFIRMATION = "confirmation", _("Confirmed by the opponent")
        DENIAL = "denial", _("Disputed by a player at the table")
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
