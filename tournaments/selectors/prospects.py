"""Who is through and who is out of a stage, and what is still needed."""

from rules.results import PlayerId
from rules.scenarios import Prospect, prospects
from tournaments.mapping import points_of
from tournaments.selectors.facts import StageFacts


def stage_prospects(stage: StageFacts) -> dict[PlayerId, Prospect]:
    """Return the prospects of everybody in a stage who has not left; no query."""
    return prospects(
        stage.state,
        criteria=tuple(stage.event.criteria),
        points=points_of(stage.event),
        used=stage.used,
    )
