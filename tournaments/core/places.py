"""Places: who holds which, and how groups of different sizes are compared for them."""

from config.wording import translate
from rules.advancement.uneven_groups import players_in
from rules.formulas.describe import sizes_compared, uneven_comparison_words
from rules.results import PlayerId
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.models import Draw, Stage


def known_places(facts: EventFacts) -> dict[str, PlayerId]:
    """Return the player on each known place, from the start to the open stage; no query.

    Places of a closed stage are those stored when it closed.
    """
    places: dict[str, PlayerId] = dict(places_of_start(facts))
    for stage in facts.stages:
        if stage.stage.state == Stage.State.CLOSED:
            places |= stage.stage.places
        elif stage.stage.state == Stage.State.OPEN:
            places |= stage.outcome.places
    return places


def places_of_start(facts: EventFacts) -> dict[str, PlayerId]:
    """Return the places of the start: by the last draw of its order, corrected since; no query."""
    drawn = [draw for draw in facts.draws if draw.kind == Draw.Kind.START]
    if facts.plan is None:
        return {}
    return facts.plan.start_holders(drawn[-1].order if drawn else [])


def uneven_note(stage: StageFacts) -> str:
    """Return a sentence on the comparison of uneven groups, "" if there is none; no query."""
    sizes = sizes_compared(stage.plan, stage.used, players_in(stage.state))
    return translate(uneven_comparison_words(stage.plan, sizes)) if sizes else ""
