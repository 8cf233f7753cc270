"""The state of an event, loaded in seven queries, and what the rules compute from it; its
announcements, where it was restored from, and what of it is public.

``hidden_since`` names what an act hides, for its line in the log. Where hiding a table that was
shown is not what the act is about, ``keep_standings`` keeps it shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property
from itertools import chain
from types import MappingProxyType
from typing import Any

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from config.ui_dates import in_words
from rules.advancement.final_ranking import FinalOrder, final_ranking
from rules.advancement.outcome import StageOutcome, outcome
from rules.plans import FormulaPlan, StagePlan
from rules.results import PlayerId
from rules.stages import STAGE_KINDS
from rules.stages.base import ExtraRound, Played, StageState
from rules.stages.kind import StageKind
from tournaments.core.held_rounds import before_closing, held_rounds, without_results
from tournaments.core.mapping import plan_of, points_of, stage_state
from tournaments.core.rows import (
    AnyRound,
    EntryRow,
    EventRows,
    GroupRow,
    MatchRow,
    RoundRow,
    entries_of,
    load_rows,
)
from tournaments.core.values_cache import cached, carry_over
from tournaments.core.visibility import lists_published
from tournaments.models import Announcement, Draw, Event, Match, Restoration, Round, Stage


@dataclass(frozen=True, kw_only=True)
class StageFacts:
    """A stage with its groups, rounds and matches, and its state for the rules.

    ``rounds`` and ``matches`` are in the order of play, extra ones included; ``by_round`` has the
    matches by key of their round. ``lots`` holds the orders drawn in this stage, and an empty tuple
    for each draw of another stage. ``held`` are the keys of rounds whose results the state leaves
    out, because their standings are held back.
    """

    event: Event
    stage: Stage
    plan: StagePlan
    groups: tuple[GroupRow, ...]
    rounds: tuple[RoundRow, ...]
    matches: tuple[MatchRow, ...]
    by_round: Mapping[int, tuple[MatchRow, ...]]
    state: StageState
    lots: tuple[tuple[PlayerId, ...], ...]
    used: frozenset[str]
    penalties: Mapping[PlayerId, int]
    held: frozenset[int] = frozenset()

    @cached_property
    def outcome(self) -> StageOutcome:
        """Return standings, places and the lots needed; cached."""
        return outcome(
            self.state,
            criteria=tuple(self.event.criteria),
            points=points_of(self.event),
            lots=self.lots,
            used=self.used,
            penalties=self.penalties,
        )

    @property
    def advanced(self) -> StageOutcome:
        """Return the outcome with the places that the stage gave when it closed, if it has.

        A player who withdrew after the stage closed keeps the place until a later stage starts.
        """
        if self.stage.state != Stage.State.CLOSED:
            return self.outcome
        return replace(self.outcome, places=self.stage.places)

    @property
    def kind(self) -> StageKind:
        """Return the rules of this kind of stage."""
        return STAGE_KINDS.get(self.stage.kind)

    @cached_property
    def total_rounds(self) -> int:
        """Return the number of rounds of the stage, given its legs; extra rounds not counted."""
        return self.kind.total_rounds(self.state)

    @cached_property
    def regular_rounds(self) -> tuple[RoundRow, ...]:
        """Return the rounds of the schedule, in the order of ``state.rounds``."""
        return tuple(item for item in self.rounds if not item.is_extra)

    @cached_property
    def extra_rounds(self) -> tuple[RoundRow, ...]:
        """Return the rounds of tiebreaker matches."""
        return tuple(item for item in self.rounds if item.is_extra)

    @cached_property
    def extra_sets(self) -> tuple[tuple[RoundRow, ExtraRound], ...]:
        """Return (round, tiebreaker matches) for each set of level players."""
        rounds = [item for item in self.rounds for _level in item.level_sets]
        return tuple(zip(rounds, self.state.extra, strict=True))

    def state_with(self, change: Callable[[RoundRow, Played], Played]) -> StageState:
        """Return the state in which each round was played as ``change`` gives it."""
        regular = zip(self.regular_rounds, self.state.rounds, strict=True)
        return replace(
            self.state,
            rounds=tuple(change(item, played) for item, played in regular),
            extra=tuple(
                replace(each, played=change(item, each.played)) for item, each in self.extra_sets
            ),
        )

    @property
    def last_round(self) -> RoundRow | None:
        """Return the latest round, published or not."""
        return self.rounds[-1] if self.rounds else None

    @cached_property
    def missing(self) -> tuple[MatchRow, ...]:
        """Return the matches without a final result, those of held rounds among them."""
        final = Match.State.FINAL
        return tuple(m for m in self.matches if m.state != final or m.round_id in self.held)

    @property
    def rounds_done(self) -> bool:
        """Return whether every round of the schedule has been drafted.

        A bracket without a match left to play counts as complete.
        """
        if len(self.regular_rounds) >= self.total_rounds:
            return True
        return self.kind.has_bracket and not self.missing and self.kind.is_over(self.state)

    def matches_of(self, item: AnyRound) -> tuple[MatchRow, ...]:
        """Return the matches of one of the stage's rounds."""
        return self.by_round.get(item.pk, ())


@dataclass(frozen=True, kw_only=True)
class EventFacts:
    """An event with its stages, and its entries by player's number."""

    event: Event
    rows: EventRows
    plan: FormulaPlan | None
    entries: dict[PlayerId, EntryRow]
    stages: tuple[StageFacts, ...]
    draws: tuple[Draw, ...]
    penalties: Mapping[PlayerId, int]

    @property
    def numbers(self) -> Mapping[int, int]:
        """Return players' numbers by primary key of the entry."""
        return self.rows.numbers

    @cached_property
    def by_key(self) -> dict[int, EntryRow]:
        """Return the entries by primary key."""
        return {entry.pk: entry for entry in self.entries.values()}

    @property
    def open_stage(self) -> StageFacts | None:
        """Return the stage in progress."""
        return next((s for s in self.stages if s.stage.state == Stage.State.OPEN), None)

    @property
    def rounds(self) -> tuple[RoundRow, ...]:
        """Return all rounds in the order of play."""
        return tuple(item for stage in self.stages for item in stage.rounds)

    @property
    def last_ordinal(self) -> int:
        """Return the ordinal of the latest round in the event, 0 before the first."""
        return max((item.ordinal for item in self.rounds), default=0)

    @property
    def latest_published(self) -> tuple[StageFacts, RoundRow] | None:
        """Return the latest published round with its stage, None before the first."""
        known = ((stage, item) for stage in self.stages[::-1] for item in stage.rounds[::-1])
        return next((each for each in known if each[1].state == Round.State.PUBLISHED), None)

    def round_at(self, ordinal: int) -> tuple[StageFacts, RoundRow] | None:
        """Return a round with its stage, None without one of this ordinal."""
        known = ((stage, item) for stage in self.stages for item in stage.rounds)
        return next((each for each in known if each[1].ordinal == ordinal), None)

    @cached_property
    def ranking(self) -> tuple[tuple[PlayerId, ...], ...]:
        """Return the final ranking known so far, as tuples of players who share a rank."""
        if self.plan is None:
            return ()
        begun = [s for s in self.stages if s.stage.state != Stage.State.PENDING]
        return final_ranking(self.plan, [(s.state, s.advanced) for s in begun], self.final_order)

    @property
    def final_order(self) -> FinalOrder:
        """Return what orders players who went out alike."""
        return FinalOrder(
            criteria=tuple(self.event.criteria),
            points=points_of(self.event),
            lots=[draw.order for draw in self.rows.lots],
            penalties=self.penalties,
        )


def load_facts(event: Event, *, drafts: bool = True) -> EventFacts:
    """Return the state of an event, read now; seven queries whatever its size.

    An eighth query counts penalties where they are a criterion; a closed stage counts those given
    before it closed. ``drafts=False`` leaves unpublished rounds out.
    """
    return facts_of(event, load_rows(event), drafts=drafts)


def facts_of(
    event: Event, rows: EventRows, *, drafts: bool, held: bool | None = None
) -> EventFacts:
    """Return the state of an event from its rows, which it keeps whole; no query.

    ``held`` leaves out what is held back (``core.held_rounds``), as usual without drafts.
    """
    held = not drafts if held is None else held
    seen = before_closing(event, rows) if held else rows
    plan = plan_of(event) if event.plan else None
    return EventFacts(
        event=event,
        rows=rows,
        plan=plan,
        entries=entries_of(rows, started=plan is not None),
        stages=tuple(
            _stage(event, seen, stage, stage_plan, used, drafts=drafts, held=held)
            for stage, (stage_plan, used) in zip(seen.stages, _plans(plan), strict=False)
        ),
        draws=rows.draws,
        penalties=rows.penalties_until(None),
    )


CARRIED_OVER = ("rulings", "leaders", "announced", "beside", "earlier")
"""Keys of the cached values that results do not change."""


def facts_after_results(
    former: EventFacts, event: Event, matches: Mapping[int, tuple[MatchRow, ...]], *, drafts: bool
) -> EventFacts:
    """Return the state of an event of which ``matches`` alone may have changed; no query.

    They are by key of their round, and the same objects where a round has not changed: what was
    made of such rounds is taken over, and stages without a changed round as they are. So are the
    values that ``CARRIED_OVER`` names.
    """
    rows = replace(former.rows, matches=matches)
    stages = tuple(_after_results(stage, former, event, rows, drafts) for stage in former.stages)
    facts = replace(
        former,
        event=event,
        rows=rows,
        entries=entries_of(rows, started=former.plan is not None),
        stages=stages,
    )
    carry_over(facts, former, CARRIED_OVER)
    return facts


def _after_results(
    stage: StageFacts, former: EventFacts, event: Event, rows: EventRows, drafts: bool
) -> StageFacts:
    before = former.rows.matches
    same = {item.pk for item in stage.rounds if rows.matches.get(item.pk) is before.get(item.pk)}
    if len(same) == len(stage.rounds):
        return stage
    rounds = zip(stage.regular_rounds, stage.state.rounds, strict=True)
    known = {item.pk: played for item, played in rounds if item.pk in same}
    own, plan, used = stage.stage, stage.plan, stage.used
    return _stage(event, rows, own, plan, used, drafts=drafts, held=not drafts, known=known)


def _stage(
    event: Event,
    rows: EventRows,
    stage: Stage,
    plan: StagePlan,
    used: frozenset[str],
    *,
    drafts: bool,
    held: bool,
    known: Mapping[int, Played] = MappingProxyType({}),
) -> StageFacts:
    rounds = tuple(
        item
        for item in rows.rounds
        if item.stage_id == stage.pk and (drafts or item.state == Round.State.PUBLISHED)
    )
    state = stage_state(
        event=event,
        stage=stage,
        plan=plan,
        groups=rows.groups.get(stage.pk, ()),
        rounds=rounds,
        matches=rows.matches,
        numbers=rows.numbers,
        withdrawn=rows.withdrawn,
        drawn_at=[draw.drawn_at for draw in rows.lots if draw.drawn_at],
        known=known,
    )
    hidden = held_rounds(event, stage, state, rounds) if held else frozenset[int]()
    if hidden:
        state = without_results(state, rounds, hidden)
    by_round = {item.pk: rows.matches.get(item.pk, ()) for item in rounds}
    return StageFacts(
        event=event,
        stage=stage,
        plan=plan,
        groups=rows.groups.get(stage.pk, ()),
        rounds=rounds,
        matches=tuple(chain.from_iterable(by_round.values())),
        by_round=by_round,
        state=state,
        lots=tuple(tuple(d.order) if d.stage_id == stage.pk else () for d in rows.lots),
        used=used,
        penalties=rows.penalties_until(stage.closed_at),
        held=hidden,
    )


def _plans(plan: FormulaPlan | None) -> list[tuple[StagePlan, frozenset[str]]]:
    """Return (plan, places that later stages seat) for each stage; empty before the start."""
    if plan is None:
        return []
    return [(stage, plan.used_places(index)) for index, stage in enumerate(plan.stages)]


MOST_FORMER = 8


def current_announcements(event: Event) -> tuple[Announcement, ...]:
    """Return the announcements shown now, the latest first; one query, none before the start."""
    if event.state != Event.State.RUNNING:
        return ()
    shown = event.announcements.filter(ended_at__isnull=True, until__gt=timezone.now())
    return tuple(shown.select_related("by").order_by("-pk"))


def announcements_in(facts: EventFacts) -> tuple[Announcement, ...]:
    """Return the announcements shown now, by an event's facts; one query while there are any.

    One more the first time, which finds out how long there are any.
    """
    event = facts.event
    until = cached(facts, "announced", lambda: _last_until(event))
    if until is None or until <= timezone.now():
        return ()
    return current_announcements(event)


def _last_until(event: Event) -> datetime | None:
    """Return when the last announcement ends, None without one; at most one query."""
    if event.state != Event.State.RUNNING:
        return None
    going = event.announcements.filter(ended_at__isnull=True).order_by()
    return going.aggregate(last=Max("until"))["last"]


def former_announcements(event: Event) -> tuple[str, ...]:
    """Return past announcements, the latest first, without duplicates; one query.

    In an event that repeats another these are the announcements of the former one.
    """
    rows = event.announcements.order_by("-pk").values_list("text", "until", "ended_at")
    now, shown = timezone.now(), set[str]()
    former: dict[str, None] = {}
    for text, until, ended in rows:
        if ended is None and until > now:
            shown.add(text)
        else:
            former.setdefault(text)
    return tuple(text for text in former if text not in shown)[:MOST_FORMER]


def restoration_of(event: Event) -> Restoration | None:
    """Return the record of a restored event, None for others; one query."""
    return Restoration.objects.filter(event=event).first()


def restored_words(event: Event, restoration: Restoration) -> str:
    """Return when an event was restored, in the active language."""
    day = in_words(restoration.at.astimezone(event.zone), "day")
    return _("Restored on %(day)s from an archive.") % {"day": day}


def restoration_json(event: Event) -> dict[str, Any] | None:
    """Return the record of a restored event as data, its words in English; one query."""
    restoration = restoration_of(event)
    if restoration is None:
        return None
    with override("en"):
        words = restored_words(event, restoration)
    return {
        "at": restoration.at.isoformat(),
        "line": restoration.version,
        "words": words,
    }


OF_A_ROUND = "round "
"""What stands before the ordinal of a round in :func:`hidden_since`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Disclosed:
    """The public content of an event: pages by their code in the log, rounds by ordinal.

    ``standings`` is the round after which standings are shown, 0 before the first.
    """

    pages: tuple[str, ...]
    rounds: tuple[int, ...]
    standings: int


def disclosed(event: Event) -> Disclosed:
    """Return the pages, rounds and standings that are public now; queries of ``load_facts``."""
    facts = load_facts(event, drafts=False)
    held = {key for stage in facts.stages for key in stage.held}
    pages = {
        "event": event.state != Event.State.DRAFT,
        "transcript": event.state == Event.State.FINISHED,
        "lists": lists_published(event),
    }
    return Disclosed(
        pages=tuple(code for code, shown in pages.items() if shown),
        rounds=tuple(item.ordinal for item in facts.rounds),
        standings=max((item.ordinal for item in facts.rounds if item.pk not in held), default=0),
    )


def hidden_since(before: Disclosed, event: Event) -> list[str]:
    """Return codes for the pages, standings and rounds public ``before`` and not now.

    The queries of ``disclosed``."""
    now = disclosed(event)
    pages = [code for code in before.pages if code not in now.pages]
    rounds = [ordinal for ordinal in before.rounds if ordinal not in now.rounds]
    if _still_played(before, now) > now.standings:
        pages.append("standings")
    return [*pages, *(f"{OF_A_ROUND}{ordinal}" for ordinal in rounds)]


def keep_standings(before: Disclosed, event: Event) -> None:
    """Keep standings public that were public ``before``; the event is locked.

    The queries of ``load_facts``, and one.
    """
    now = disclosed(event)
    if (kept := _still_played(before, now)) > now.standings:
        event.standings_released = kept
        event.save(update_fields=["standings_released"])


def _still_played(before: Disclosed, now: Disclosed) -> int:
    """Return the last round whose standings were public before and that still exists; else 0."""
    return max((ordinal for ordinal in now.rounds if ordinal <= before.standings), default=0)
