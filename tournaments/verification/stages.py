"""Who sits where, and what was stored when a stage closed."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from rules.advancement.outcome import outcome, seat
from rules.plans.places import late_holders
from rules.results import PlayerId
from rules.stages.base import StageState
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.mapping import points_of
from tournaments.models import Stage
from tournaments.stages.selectors import origins_of, places_of_start
from tournaments.verification.criteria import Criteria, criteria_at_close
from tournaments.verification.finding import Finding
from tournaments.verification.past import Past


def check_stages(facts: EventFacts) -> Iterator[Finding]:
    """Yield places and seats that do not follow from the stages before; one query."""
    places: dict[str, PlayerId] = places_of_start(facts)
    for stage in facts.stages:
        places |= late_holders(name for group in stage.plan.groups for name in group.seats)
    before: list[StageFacts] = []
    criteria = criteria_at_close(facts)
    for stage in facts.stages:
        if stage.groups:
            yield from _seats(stage, places, before)
        if stage.stage.state == Stage.State.CLOSED:
            yield from _places(facts, stage, criteria[stage.stage.key])
            yield from _advancing(stage)
            places |= stage.stage.places
        before.append(stage)


def _seats(
    stage: StageFacts, places: Mapping[str, PlayerId], before: Iterable[StageFacts]
) -> Iterator[Finding]:
    would = seat(stage.plan, places, origins_of(before))
    for group, players in would.items():
        stored = stage.state.seats.get(group, ())
        if stored != players:
            words = _("Stage %(stage)s, group %(group)s: stored %(stored)s, computed %(would)s.")
            values = {"stored": list(stored), "would": list(players)}
            yield Finding("seats", words % {"stage": stage.stage.number, "group": group, **values})


def _places(facts: EventFacts, stage: StageFacts, criteria: Criteria) -> Iterator[Finding]:
    """Yield a closed stage whose places its results would not give.

    Who left after it closed held a place then, who came back since was away, and what was kept
    when a result was corrected follows from the old one.
    """
    stored: dict[str, PlayerId] = stage.stage.places
    there = stage.state.withdrawn - set(stored.values())
    computed = _computed(stage, replace(stage.state, withdrawn=there), criteria)
    if stored != computed and stored != _computed(stage, Past(facts).at_close(stage), criteria):
        words = _("Stage %(stage)s: stored places %(stored)s, computed %(would)s.")
        values = {"stage": stage.stage.number, "stored": stored, "would": computed}
        yield Finding("places", words % values)


def _computed(stage: StageFacts, state: StageState, criteria: Criteria) -> dict[str, PlayerId]:
    found = outcome(
        state,
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
