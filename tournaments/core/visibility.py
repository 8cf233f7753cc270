"""What an event shows, and to whom: who may read which decklist, and which Leaders stand beside
names, decided here for pages, files and endpoints; announcements, where the event was restored
from, what of it is public, and what is held back.

Pages of the staff alone ask ``permissions.can_see_decks``, on which this builds. A list is always
visible to its player, the judges and the organiser. In a stage with open lists
(``Event.open_lists``) its players see those of their opponents (or of the whole stage) from the
first published pairings until the stage closes, and not while the organiser holds them back. After
the event the lists of all who played are public once the organiser has published them, and stay so
if the event goes on, until the organiser hides them.

``final`` opens a stage's lists to the opponents, ``final:all`` to everybody who plays in it. The
closing of the stage before may hold them back (``Event.held_lists``): then they are open to nobody
until the organiser releases them.

``hidden_content`` names what an act hides, for its line in the log. Where hiding a table that
was shown is not what the act is about, ``keep_standings_public`` keeps it shown.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any

from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import override

from config.wording import format_moment, translate
from decks.stored_formats import base_format, is_custom_game_format
from rules.deckbuilding.statistics import LEADER
from rules.errors import BadInput, RuleError
from rules.formulas import FORMULAS, TABLE_FORMULAS, shipped_formula
from rules.formulas.base import Formula, OptionValue
from rules.wording import Sentence
from tournaments.core.event_state import EventFacts, cached_value, load_facts, withheld_stage
from tournaments.core.permissions import Actor, can_see_decks, is_staff
from tournaments.core.rows import AnyEntry
from tournaments.models import (
    Announcement,
    Entry,
    Event,
    MatchSeat,
    Restoration,
    Round,
    Seat,
    Stage,
)

MOST_LAID_OUT = 16  # players; with more, no formula has other stages


class Audience(StrEnum):
    """The players of a stage who may see each other's decklists while it is played."""

    NOBODY = ""
    OPPONENTS = "opponents"
    ALL = "all"


def stage_audience(open_lists: Iterable[str], stage: str) -> Audience:
    """Return who may see decklists in a stage, by the setting ``open_lists``.

    ``stage``: key of the stage.
    """
    return parse_audiences(open_lists).get(stage, Audience.NOBODY)


def current_audience(event: Event, stage: Stage) -> Audience:
    """Return who may see decklists in a stage now.

    The event's setting, or NOBODY while withheld.
    """
    if event.held_lists == stage.number:
        return Audience.NOBODY
    return stage_audience(event.open_lists, stage.key)


def are_lists_withheld(event: Event, stage: Stage) -> bool:
    """Return whether the organiser withholds decklists that a stage would show."""
    return event.held_lists == stage.number and will_open_lists(event, stage.key)


def are_lists_open_until_close(event: Event, stage: Stage) -> bool:
    """Return whether a stage's players see decklists until the stage closes.

    False once decklists are public.
    """
    public = event.lists_published_at is not None
    return not public and current_audience(event, stage) is not Audience.NOBODY


def will_open_lists(event: Event, stage: str) -> bool:
    """Return whether a stage shows decklists, not public yet, to its players.

    ``stage``: key of the stage. Withheld ones count.
    """
    public = event.lists_published_at is not None
    return not public and stage_audience(event.open_lists, stage) is not Audience.NOBODY


def check_lists_can_be_withheld(event: Event, stages: Iterable[str]) -> None:
    """Raise RuleError ``no_lists_held`` unless one of the stages will open decklists.

    ``stages``: keys of stages.
    """
    if not any(will_open_lists(event, stage) for stage in stages):
        raise no_withheld_lists_error()


def store_withheld_lists_stage(event: Event, stage: int | None) -> None:
    """Store the number of the stage whose decklists are withheld; at most one query.

    None: no stage.
    """
    if event.held_lists != stage:
        event.held_lists = stage
        event.save(update_fields=["held_lists"])


def no_withheld_lists_error() -> RuleError:
    """Return the RuleError for a stage without decklists to withhold or publish."""
    return RuleError("no_lists_held")


def parse_audiences(open_lists: Iterable[str]) -> dict[str, Audience]:
    """Return {stage key: audience} from the setting ``open_lists``."""
    parts = [item.partition(":") for item in open_lists]
    return {key: Audience(whom or Audience.OPPONENTS) for key, _colon, whom in parts}


def audiences_to_json(chosen: Mapping[str, Audience]) -> list[str]:
    """Return the audiences in the form stored in ``Event.open_lists``."""
    return [
        key if whom is Audience.OPPONENTS else f"{key}:{whom}"
        for key, whom in chosen.items()
        if whom is not Audience.NOBODY
    ]


def possible_stages(formula: Formula) -> Mapping[str, Sentence]:
    """Return {stage key: label} of all stages that a formula can have."""
    if formula.key in FORMULAS or formula.key in TABLE_FORMULAS:
        return _of_shipped(formula.key)
    return {stage.key: stage.label for stage in formula.plan(formula.minimum).stages}


@cache
def _of_shipped(formula: str) -> Mapping[str, Sentence]:
    known = shipped_formula(formula)
    found: dict[str, Sentence] = {}
    for options in _option_settings(known):
        for size in range(MOST_LAID_OUT, known.minimum - 1, -1):
            with suppress(RuleError):  # these options want more players
                for stage in known.plan(size, options).stages:
                    found.setdefault(stage.key, stage.label)
    return found


def _option_settings(formula: Formula) -> Iterator[dict[str, OptionValue]]:
    """Yield the default options, then every value of each option with the others at default."""
    yield {}
    for option in formula.options:
        values = [choice.value for choice in option.choices]
        if option.kind == "choices":
            for number in (value for value in values if isinstance(value, int)):
                yield {option.key: [number] * len(option.items)}
        elif option.kind == "number":
            for number in (option.lowest, option.highest):
                yield {option.key: number}
        elif option.kind != "sizes":  # no stage depends on the sizes of tables
            for value in values or (False, True):
                yield {option.key: value}


def open_lists_for_formula(open_lists: Iterable[str], formula: Formula) -> list[str]:
    """Return the setting ``open_lists`` without stages that the formula can't have."""
    stages = possible_stages(formula)
    return [item for item in open_lists if item.partition(":")[0] in stages]


def check_open_lists(open_lists: object, formula: Formula) -> None:
    """Raise BadInput ``bad_open_lists`` unless ``open_lists`` is a valid setting.

    That is a list of "<stage key>" or "<stage key>:all", naming stages that the formula can have,
    each once.
    """
    items = open_lists if isinstance(open_lists, list) else [open_lists]
    stages = possible_stages(formula) if items else {}
    allowed = {form for key in stages for form in (key, f"{key}:{Audience.ALL}")}
    keys = [str(item).partition(":")[0] for item in items]
    wrong = [str(item) for item in items if not isinstance(item, str) or item not in allowed]
    if wrong or len(set(keys)) != len(keys):
        raise BadInput(
            "bad_open_lists",
            "Choose from these stages, each only once: %(stages)s.",
            stages=tuple(stages.values()),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class VisibleDecklists:
    """The decklists of an event that a reader may see.

    ``every``: all (organisers, judges). ``published``: decklists are public. ``entries``:
    primary keys of entries with a visible list. ``belongs``: hidden lists answer 403, not 404
    (staff, players of a stage with open lists).
    """

    every: bool = False
    published: bool = False
    entries: frozenset[int] = frozenset()
    belongs: bool = False

    @property
    def whole(self) -> bool:
        """Return whether every list of those who played is visible, so files may hold them."""
        return self.every or self.published

    def reads(self, entry: AnyEntry) -> bool:
        """Return whether the list of an entry of the event is visible."""
        return self.every or entry.pk in self.entries


EVERY_LIST = VisibleDecklists(every=True)
"""The organiser's sight, for management commands."""


def can_see_decklist(actor: Actor, entry: Entry) -> bool:
    """Return whether the actor may see an entry's decklist now; at most six queries."""
    return visible_decklists(actor, entry.event).reads(entry)


def visible_decklists(actor: Actor, event: Event) -> VisibleDecklists:
    """Return which decklists the actor may see now; at most five queries."""
    if can_see_decks(actor, event):
        return EVERY_LIST
    own = actor.entry_in(event)
    mine = frozenset([own.pk]) if own else frozenset[int]()
    if are_lists_public(event):
        return VisibleDecklists(published=True, entries=mine | seated_entries(event))
    opened = _opened_to(own, event)
    return VisibleDecklists(
        entries=mine | (opened or frozenset()),
        belongs=opened is not None or is_staff(actor, event),
    )


def are_lists_public(event: Event) -> bool:
    """Return whether decklists are public now."""
    return event.lists_published_at is not None


def are_leaders_public(event: Event) -> bool:
    """Return whether players' Leader cards are public; at most one query.

    That takes the setting and a published round.
    """
    return event.show_leaders and event.rounds.filter(state=Round.State.PUBLISHED).exists()


def seated_entries(event: Event) -> frozenset[int]:
    """Return the primary keys of entries with a seat in any stage; one query."""
    seated = Seat.objects.filter(stage__event=event, entry__isnull=False)
    return frozenset(key for key in seated.values_list("entry_id", flat=True) if key)


def _opened_to(own: Entry | None, event: Event) -> frozenset[int] | None:
    """Return entries whose lists the open stage shows to a player; None if it shows none."""
    if own is None or not own.plays or not event.open_lists or event.state != Event.State.RUNNING:
        return None
    published = Round.objects.filter(state=Round.State.PUBLISHED).values("stage")
    stage = event.stages.filter(state=Stage.State.OPEN, pk__in=published).first()
    whom = current_audience(event, stage) if stage else Audience.NOBODY
    if stage is None or whom is Audience.NOBODY:
        return None
    seated = frozenset(stage.seats.values_list("entry_id", flat=True)) - {None}
    if own.pk not in seated:
        return frozenset()
    return seated if whom is Audience.ALL else _opponents(own, stage)


def _opponents(own: Entry, stage: Stage) -> frozenset[int]:
    seats = MatchSeat.objects.filter(
        match__match_seats__entry=own, round__stage=stage, round__state=Round.State.PUBLISHED
    )
    return frozenset(seats.values_list("entry_id", flat=True)) - {own.pk}


def has_decks(event: Event) -> bool:
    """Return whether the event's players bring decks; some custom games have none."""
    if event.decklists != Event.Decklists.OFF or not is_custom_game_format(event.format):
        return True
    return base_format(event.format_key).checked


def has_leaders(event: Event) -> bool:
    """Return whether decks of the event's format have a Leader card; no query."""
    return LEADER in base_format(event.format_key).zone_keys


def public_leaders(event: Event) -> dict[int, str]:
    """Return {entry primary key: Leader card} of players, {} unless public.

    At most three queries.
    """
    if not has_leaders(event) or not are_leaders_public(event):
        return {}
    played = seated_entries(event)
    return {key: name for key, name in leader_names(event).items() if key in played}


def leader_names(event: Event) -> dict[int, str]:
    """Return {entry primary key: Leader card} of submitted decklists; one query."""
    zone = f"submission__decklist__deck__zones__{LEADER}"
    found = event.entries.filter(submission__isnull=False).values_list("pk", zone)
    return {key: ", ".join(card["name"] for card in cards or ()) for key, cards in found}


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


@dataclass(frozen=True, slots=True, kw_only=True)
class WithheldContent:
    """Standings and decklists that are still withheld from the public.

    ``stage``: label of the closed stage with withheld standings, ``lists``: of the open stage with
    withheld decklists, "" for neither. ``last_ordinal``: latest round of the standings;
    ``lists_of``: number of the stage of the decklists.
    """

    stage: str = ""
    last_ordinal: int = 0
    lists: str = ""
    lists_of: int = 0


def withheld_content(facts: EventFacts) -> WithheldContent | None:
    """Return the standings and decklists still withheld, None if there are none; no query."""
    closed, opened, held = (
        withheld_stage(facts.event, facts.rows),
        facts.open_stage,
        WithheldContent(),
    )
    if closed is not None:
        stage = facts.stages[closed.number - 1]
        label, last = translate(stage.plan.label), stage.rounds[-1].ordinal
        held = replace(held, stage=label, last_ordinal=last)
    if opened is not None and are_lists_withheld(facts.event, opened.stage):
        held = replace(held, lists=translate(opened.plan.label), lists_of=opened.stage.number)
    return held if held != WithheldContent() else None
