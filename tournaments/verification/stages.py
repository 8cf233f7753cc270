"""Who sits where, and what was stored when a stage closed."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from rules.outcome import outcome, seat
from rules.places import late_holders, start_places
from rules.results import PlayerId
from rules.stages.base import StageState
from tournaments.mapping import points_of
from tournaments.models import Draw, LogLine, Stage
from tournaments.selectors.advance import origins_of
from tournaments.selectors.facts import EventFacts, StageFacts
from tournaments.verification.criteria import Criteria, criteria_at_close
from tournaments.verification.finding import Finding
from tournaments.verification.past import Past

CAME_BACK = ("entry.re_enter", "entry.reinstate")


def check_stages(facts: EventFacts) -> Iterator[Finding]:
    """Yield places and seats that do not follow from the stages before; two queries."""
    places: dict[str, PlayerId] = dict(_start(facts))
    for stage in facts.stages:
        places |= late_holders(name for group in stage.plan.groups for name in group.seats)
    back = LogLine.objects.filter(event=facts.event, action__in=CAME_BACK)
    names = set(back.values_list("subject", flat=True))
    returned = frozenset(n for n, entry in facts.entries.items() if entry.name in names)
    before: StageFacts | None = None
    criteria = criteria_at_close(facts)
    for stage in facts.stages:
        if stage.groups:
            yield from _seats(stage, places, before)
        if stage.stage.state == Stage.State.CLOSED:
            yield from _places(facts, stage, returned, criteria[stage.stage.key])
            yield from _advancing(stage)
            places |= stage.stage.places
        before = stage


def _start(facts: EventFacts) -> Mapping[str, PlayerId]:
    """Return the places of the start: those of the last draw of its order."""
    drawn = [draw for draw in facts.draws if draw.kind == Draw.Kind.START]
    order = drawn[-1].order if drawn else []
    return dict(zip(start_places(len(order)), order, strict=True))


def _seats(
    stage: StageFacts, places: Mapping[str, PlayerId], before: StageFacts | None
) -> Iterator[Finding]:
    origins = origins_of(before) if before else {}
    would = seat(stage.plan, places, origins)
    for group, players in would.items():
        stored = stage.state.seats.get(group, ())
        if stored != players:
            words = _("Stage %(stage)s, group %(group)s: stored %(stored)s, computed %(would)s.")
            values = {"stored": list(stored), "would": list(players)}
            yield Finding("seats", words % {"stage": stage.stage.number, "group": group, **values})


def _places(
    facts: EventFacts, stage: StageFacts, returned: frozenset[PlayerId], criteria: Criteria
) -> Iterator[Finding]:
    """Yield a closed stage whose places its results would not give.

    Who left after it closed held a place then, and who came back since may have been away. What
    was kept when a result was corrected follows from the old result.
    """
    stored: dict[str, PlayerId] = stage.stage.places
    there = stage.state.withdrawn - set(stored.values())
    away = (there, there | returned)
    computed = [_computed(stage, stage.state, gone, criteria) for gone in away]
    if stored not in computed:
        then = Past(facts).at_close(stage)
        computed = [_computed(stage, then, gone, criteria) for gone in away]
    if stored not in computed:
        words = _("Stage %(stage)s: stored places %(stored)s, computed %(would)s.")
        values = {"stage": stage.stage.number, "stored": stored, "would": computed[0]}
        yield Finding("places", words % values)


def _computed(
    stage: StageFacts, state: StageState, withdrawn: frozenset[PlayerId], criteria: Criteria
) -> dict[str, PlayerId]:
    found = outcome(
        replace(state, withdrawn=withdrawn),
        criteria=criteria,
        points=points_of(stage.event),
        lots=stage.lots,
        used=stage.used,
        penalties=stage.penalties,
    )
    return dict(found.places)


def _advancing(stage: StageFacts) -> Iterator[Finding]:
    """Yield who goes on twice, or from another stage."""
    holders = [stage.stage.places[name] for name in stage.used if name in stage.stage.places]
    strangers = set(holders) - set(stage.state.players)
    if strangers or len(set(holders)) != len(holders):
        words = _("Stage %(stage)s: players %(holders)s go on, twice or from elsewhere.")
        values = {"stage": stage.stage.number, "holders": sorted(holders)}
        yield Finding("advancing", words % values)
