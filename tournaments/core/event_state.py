"""The state of an event, loaded in seven queries, and what the rules compute from it; its
announcements, where it was restored from, and what of it is public.

``hidden_content`` names what an act hides, for its line in the log. Where hiding a table that
was shown is not what the act is about, ``keep_standings_public`` keeps it shown.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from itertools import chain
from types import MappingProxyType
from typing import Any

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from config.wording import format_moment
from rules.advancement.outcome import FinalRankingRules, StageOutcome, final_ranking, stage_outcome
from rules.plans import FormulaPlan, StagePlan
from rules.results import PlayerId
from rules.stages import STAGE_KINDS
from rules.stages.base import Played, StageKind, StageState, TiebreakerRound
from tournaments.core.held_rounds import rows_before_closing, state_without_results, withheld_rounds
from tournaments.core.mapping import event_points, stage_state, stored_plan
from tournaments.core.rows import (
    AnyRound,
    EntryRow,
    EventRows,
    GroupRow,
    MatchRow,
    RoundRow,
    entries_by_number,
    load_rows,
)
from tournaments.core.values_cache import cached_value, carry_over_values
from tournaments.core.visibility import are_lists_public
from tournaments.models import Announcement, Draw, Event, Match, Restoration, Round, Stage


@dataclass(frozen=True, kw_only=True)
class StageFacts:
    """In-memory snapshot of a stage: its rows, and its state as the rules need it.

    ``rounds`` and ``matches`` are in the order of play, tiebreaker rounds included; ``by_round``:
    matches by the round's primary key. ``lots``: for each random draw among tied players of the
    event the order drawn, () if it is of another stage. ``used``: codes of places that seat players
    in later stages. ``penalties``: number of penalties by player. ``held``: keys of rounds whose
    results ``state`` omits because standings are withheld.
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
        return stage_outcome(
            self.state,
            criteria=tuple(self.event.criteria),
            points=event_points(self.event),
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
    def extra_sets(self) -> tuple[tuple[RoundRow, TiebreakerRound], ...]:
        """Return (round, tiebreaker matches) for each set of level players."""
        rounds = [item for item in self.rounds for _level in item.level_sets]
        return tuple(zip(rounds, self.state.tiebreaker_rounds, strict=True))

    def state_with(self, change: Callable[[RoundRow, Played], Played]) -> StageState:
        """Return the state in which each round was played as ``change`` gives it."""
        regular = zip(self.regular_rounds, self.state.rounds, strict=True)
        return replace(
            self.state,
            rounds=tuple(change(item, played) for item, played in regular),
            tiebreaker_rounds=tuple(
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

    def matches_of(self, round_: AnyRound) -> tuple[MatchRow, ...]:
        """Return the matches of one of the stage's rounds."""
        return self.by_round.get(round_.pk, ())


@dataclass(frozen=True, kw_only=True)
class EventFacts:
    """In-memory snapshot of an event: its rows, stages and players by number.

    Stages are in order. ``plan``: None before the start. ``penalties``: number of penalties by
    player, empty unless penalties rank players.
    """

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
    def entries_by_pk(self) -> dict[int, EntryRow]:
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
    def final_order(self) -> FinalRankingRules:
        """Return what orders players who went out alike."""
        return FinalRankingRules(
            criteria=tuple(self.event.criteria),
            points=event_points(self.event),
            lots=[draw.order for draw in self.rows.lots],
            penalties=self.penalties,
        )


def load_facts(event: Event, *, for_staff: bool = True) -> EventFacts:
    """Return a fresh snapshot of an event.

    ``for_staff=False``: as the public sees it, without unpublished rounds and withheld standings.
    Seven queries, eight if penalties rank players.
    """
    return facts_from_rows(event, load_rows(event), drafts=for_staff)


def facts_from_rows(
    event: Event, rows: EventRows, *, drafts: bool, held: bool | None = None
) -> EventFacts:
    """Return the snapshot of an event from its loaded rows; no query.

    ``drafts``: include unpublished rounds. ``held``: leave out withheld standings
    (``core.held_rounds``); default: if ``drafts`` is False.
    """
    held = not drafts if held is None else held
    seen = rows_before_closing(event, rows) if held else rows
    plan = stored_plan(event) if event.plan else None
    return EventFacts(
        event=event,
        rows=rows,
        plan=plan,
        entries=entries_by_number(rows, started=plan is not None),
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
    """Return a snapshot updated with new results; all else is reused. No query.

    ``former``: snapshot of an earlier version of ``event``. ``matches``: all matches by the round's
    primary key, identical objects for unchanged rounds. ``drafts``: whether ``former`` includes
    unpublished rounds. Unchanged stages and the cached values named in ``CARRIED_OVER`` are kept.
    """
    rows = replace(former.rows, matches=matches)
    after = partial(_after_results, former=former, event=event, rows=rows, drafts=drafts)
    facts = replace(
        former,
        event=event,
        rows=rows,
        entries=entries_by_number(rows, started=former.plan is not None),
        stages=tuple(map(after, former.stages)),
    )
    carry_over_values(facts, former, CARRIED_OVER)
    return facts


def _after_results(
    stage: StageFacts, *, former: EventFacts, event: Event, rows: EventRows, drafts: bool
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
    hidden = withheld_rounds(event, stage, state, rounds) if held else frozenset[int]()
    if hidden:
        state = state_without_results(state, rounds, hidden)
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
    """Return announcements on display now, latest first; at most one query."""
    if event.state != Event.State.RUNNING:
        return ()
    shown = event.announcements.filter(ended_at__isnull=True, until__gt=timezone.now())
    return tuple(shown.select_related("by").order_by("-pk"))


def visible_announcements(facts: EventFacts) -> tuple[Announcement, ...]:
    """Return announcements on display now, latest first; at most two queries.

    As `current_announcements`, but the snapshot caches when the last one ends.
    """
    event = facts.event
    until = cached_value(facts, "announced", lambda: _last_until(event))
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
    """Return the texts of the latest eight ended announcements; one query.

    Latest first, without duplicates and those on display. A repeated event offers those of the
    event that it repeats.
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


def event_restoration(event: Event) -> Restoration | None:
    """Return the restoration record of an event, None unless it was restored.

    One query.
    """
    return Restoration.objects.filter(event=event).first()


def restoration_notice(event: Event, restoration: Restoration) -> str:
    """Return a sentence saying when an event was restored, in the active language."""
    day = format_moment(restoration.at.astimezone(event.zone), "day")
    return _("Restored on %(day)s from an archive.") % {"day": day}


def restoration_json(event: Event) -> dict[str, Any] | None:
    """Return {at, line, words} of a restored event, None for others; one query.

    at: when it was restored (ISO 8601); line: the last log line of its archive; words: a notice in
    English.
    """
    restoration = event_restoration(event)
    if restoration is None:
        return None
    with override("en"):
        words = restoration_notice(event, restoration)
    return {
        "at": restoration.at.isoformat(),
        "line": restoration.version,
        "words": words,
    }


OF_A_ROUND = "round "
"""What stands before the ordinal of a round in :func:`hidden_content`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PublicContent:
    """What an event makes public.

    ``pages``: of "event", "transcript", "lists"; ``rounds``: ordinals of published rounds;
    ``standings``: ordinal of the last round whose standings are public, 0 for none.
    """

    pages: tuple[str, ...]
    rounds: tuple[int, ...]
    standings: int


def public_content(event: Event) -> PublicContent:
    """Return what an event makes public now; at most eight queries."""
    facts = load_facts(event, for_staff=False)
    held = {key for stage in facts.stages for key in stage.held}
    pages = {
        "event": event.state != Event.State.DRAFT,
        "transcript": event.state == Event.State.FINISHED,
        "lists": are_lists_public(event),
    }
    return PublicContent(
        pages=tuple(code for code, shown in pages.items() if shown),
        rounds=tuple(item.ordinal for item in facts.rounds),
        standings=max((item.ordinal for item in facts.rounds if item.pk not in held), default=0),
    )


def hidden_content(before: PublicContent, event: Event) -> list[str]:
    """Return codes of what was public ``before`` and is not now.

    Codes: event, transcript, lists, standings, "round N". At most eight queries.
    """
    now = public_content(event)
    pages = [code for code in before.pages if code not in now.pages]
    rounds = [ordinal for ordinal in before.rounds if ordinal not in now.rounds]
    if _still_played(before, now) > now.standings:
        pages.append("standings")
    return [*pages, *(f"{OF_A_ROUND}{ordinal}" for ordinal in rounds)]


def keep_standings_public(before: PublicContent, event: Event) -> None:
    """Keep standings public that were public ``before``, though results are gone.

    The event must be locked. At most nine queries.
    """
    now = public_content(event)
    if (kept := _still_played(before, now)) > now.standings:
        event.standings_released = kept
        event.save(update_fields=["standings_released"])


def _still_played(before: PublicContent, now: PublicContent) -> int:
    """Return the last round whose standings were public before and that still exists; else 0."""
    return max((ordinal for ordinal in now.rounds if ordinal <= before.standings), default=0)
