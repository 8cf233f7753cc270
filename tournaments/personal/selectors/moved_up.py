"""Where a player goes on, and why though their rank alone did not lead there."""

from django.utils.translation import ngettext

from config.wording import translate
from rules.plans.places import RankOf
from rules.results import PlayerId
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.models import Round
from tournaments.stages.selectors import next_stages


def moved_up(facts: EventFacts, number: PlayerId) -> str:
    """Return whose place a player has, as a sentence, until the next stage's first round is public.

    "" for whoever goes on by their rank. No query.
    """
    stage = _last_played(facts)
    if stage is None or stage.held:
        return ""
    places = stage.advanced.places
    ranks = [each for each in stage.plan.places if isinstance(each, RankOf)]
    held = next((each for each in ranks if places.get(each.name) == number), None)
    if held is None or held.name not in stage.used:
        return ""
    last = max(each.rank for each in ranks if each.group == held.group and each.name in stage.used)
    ahead = [row.player for row in stage.outcome.standings[held.group].rows[:last]]
    gone = [player for player in ahead if player not in places.values()]
    if number in ahead or not gone:
        return ""
    words = ngettext(
        "%(names)s plays no more: you go on instead.",
        "%(names)s play no more: you go on instead.",
        len(gone),
    )
    return words % {"names": ", ".join(facts.entries[player].display_name for player in gone)}


def later_stage(facts: EventFacts, number: PlayerId) -> str:
    """Return the label of the stage in which a player outside the open one plays next, or ""."""
    if facts.plan is None or facts.open_stage is None:
        return ""
    index = next_stages(facts, facts.open_stage).get(number)
    return translate(facts.plan.stages[index].label) if index is not None else ""


def _last_played(facts: EventFacts) -> StageFacts | None:
    """Return the stage whose places are held now: the open one, once it has begun."""
    stage = facts.open_stage
    if stage is None or any(item.state == Round.State.PUBLISHED for item in stage.rounds):
        return stage
    return facts.stages[stage.stage.number - 2] if stage.stage.number > 1 else None
