"""Checks of seats, and of the places stored when a stage closed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from django.db.models import F
from django.utils.translation import gettext as _

from rules.advancement.outcome import outcome, seat
from rules.results import PlayerId, Winner
from tournaments.core.acts import Tells, acts_telling
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.kept_places import places_of_start
from tournaments.core.mapping import points_of
from tournaments.models import LogLine, Report, Seat, Stage
from tournaments.stages.selectors import origins_of
from tournaments.verification.finding import Finding
from tournaments.verification.historical_results import (
    CLOSED,
    REDONE,
    RESTORED,
    UNDONE,
    HistoricalResults,
    followed_lines,
    without_reverted,
)

Criteria = tuple[str, ...]
CHANGED = "event.changed"


def criteria_at_close(facts: EventFacts) -> dict[str, Criteria]:
    """Return by key of the stage the criteria that applied when its places were stored; one query.

    They were when it closed, or when a correction moved them. A log line of a change holds the
    value before it, so the first change after that gives the criteria of that time.
    """
    now = tuple(facts.event.criteria)
    found = {stage.stage.key: now for stage in facts.stages}
    actions = (CLOSED, CHANGED, *acts_telling(Tells.FOLLOWED), UNDONE, REDONE, RESTORED)
    lines = LogLine.objects.filter(event=facts.event, action__in=actions).order_by("number")
    moved = dict(followed_lines(without_reverted(lines)))
    held, seen = now, set[str]()
    for line in reversed(lines):
        stored = line.subject if line.action == CLOSED else ""
        if line.number in moved:
            stored = moved[line.number].after.get("places_of") or ""
        if stored and stored not in seen:
            seen.add(stored)
            found[stored] = held
        elif "criteria" in line.before and line.action == CHANGED:
            held = tuple(line.before["criteria"])
    return found


def check_stages(facts: EventFacts) -> Iterator[Finding]:
    """Yield seats and places that do not follow from earlier stages; two queries."""
    astray = Seat.objects.filter(group__stage__event=facts.event).exclude(stage=F("group__stage"))
    for group, number in astray.values_list("group__name", "number"):
        words = _("Group %(group)s, seat %(number)s: it is not in the stage of its group.")
        yield Finding("seats", words % {"group": group, "number": number})
    places: dict[str, PlayerId] = places_of_start(facts)
    before: list[StageFacts] = []
    criteria = criteria_at_close(facts)
    for stage in facts.stages:
        if stage.groups:
            yield from _wrong_seats(stage, places, before)
        if stage.stage.state == Stage.State.CLOSED:
            yield from _wrong_places(facts, stage, criteria[stage.stage.key])
            yield from _wrong_advancement(stage)
            places |= stage.stage.places
        before.append(stage)


def _wrong_seats(
    stage: StageFacts, places: Mapping[str, PlayerId], before: Iterable[StageFacts]
) -> Iterator[Finding]:
    would = seat(stage.plan, places, origins_of(before))
    for group, players in would.items():
        stored = stage.state.seats.get(group, ())
        if stored != players:
            words = _("Stage %(stage)s, group %(group)s: stored %(stored)s, computed %(would)s.")
            values = {"stored": list(stored), "would": list(players)}
            yield Finding("seats", words % {"stage": stage.stage.number, "group": group, **values})


def _wrong_places(facts: EventFacts, stage: StageFacts, criteria: Criteria) -> Iterator[Finding]:
    """Yield a closed stage whose stored places do not follow from its results.

    Players who left after it closed hold their places. Places that were kept at a correction
    follow from the results at the time of closing; two queries more where they differ.
    """
    stored: dict[str, PlayerId] = stage.stage.places
    there = stage.state.withdrawn - set(stored.values())
    staying = replace(stage, state=replace(stage.state, withdrawn=there))
    computed = _computed_places(staying, criteria)
    if stored == computed:
        return
    if stored != _computed_places(HistoricalResults(facts).at_close(stage), criteria):
        words = _("Stage %(stage)s: stored places %(stored)s, computed %(would)s.")
        values = {"stage": stage.stage.number, "stored": stored, "would": computed}
        yield Finding("places", words % values)


def _computed_places(stage: StageFacts, criteria: Criteria) -> dict[str, PlayerId]:
    found = outcome(
        stage.state,
        criteria=criteria,
        points=points_of(stage.event),
        lots=stage.lots,
        used=stage.used,
        penalties=stage.penalties,
    )
    return dict(found.places)


def _wrong_advancement(stage: StageFacts) -> Iterator[Finding]:
    """Yield players who advance twice or from another stage."""
    holders = [stage.stage.places[name] for name in stage.used if name in stage.stage.places]
    strangers = set(holders) - set(stage.state.players)
    if strangers or len(set(holders)) != len(holders):
        words = _("Stage %(stage)s: players %(holders)s go on, twice or from elsewhere.")
        values = {"stage": stage.stage.number, "holders": sorted(holders)}
        yield Finding("advancing", words % values)


def check_strikes(facts: EventFacts) -> Iterator[Finding]:
    """Yield matches of struck players that count, and automatic voids of other players."""
    numbers = {entry.pk: number for number, entry in facts.entries.items()}
    for stage in facts.stages:
        ordinals = {item.pk: item.ordinal for item in stage.rounds}
        for match in stage.matches:
            decision = match.decision
            if decision is None:
                continue
            sides = {numbers[key] for key in match.seats}
            struck = bool(sides & stage.state.struck)
            void = decision.winner == Winner.VOID
            by_rule = void and decision.kind == Report.Kind.AUTOMATIC
            if (struck and not void) or (by_rule and not struck):
                words = _("Round %(round)s, match %(match)s does not fit the players struck.")
                values = {"round": ordinals[match.round_id], "match": match.number}
                yield Finding("strikes", words % values)
