"""What leaving the event now would cost a player, in sentences."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from config.wording import translate
from rules.events.own_page import Leaving, OwnState
from rules.results import PlayerId
from rules.scenarios import Verdict
from rules.scenarios.verdicts import plays_after_losing
from rules.stages.kind import is_of_tables
from tournaments.core.event_state import EventFacts
from tournaments.players.selectors.returns import to_come
from tournaments.prospects.selectors import public_verdicts
from tournaments.stages.selectors import next_stages


def leaving_words(facts: EventFacts, number: PlayerId, state: OwnState) -> tuple[str, ...]:
    """Return what leaving costs once the event runs: the match, later ones, a place won; no query.

    Nothing is said of matches or places that the player would not have had.
    """
    return tuple(_sentences(facts, number, state))


def _sentences(facts: EventFacts, number: PlayerId, state: OwnState) -> Iterator[str]:
    if state.leaving is Leaving.LOSES_MATCH:
        yield _("The match that you are playing now is lost.")
    elif state.leaving is Leaving.LEAVES_REPORT:
        yield _("What was reported of your match is still confirmed, or decided by a judge.")
    later = _later_matches(facts, number, state)
    if later:
        yield later
    elif place := _place_to_come(facts, number):
        yield place
    yield _("What you have played stays.")


def _later_matches(facts: EventFacts, number: PlayerId, state: OwnState) -> str:
    """Return what becomes of the matches still to come in the open stage, "" without any."""
    stage = facts.open_stage
    if stage is None or number not in stage.state.players:
        return ""
    later = number in to_come(stage)
    if stage.kind.pairs_by_points:
        return _("You are paired no more.") if later else ""
    if is_of_tables(stage.plan):
        return ""
    if not stage.kind.has_bracket:
        return _("Your later opponents win without playing.") if later else ""
    loses = state.leaving is Leaving.LOSES_MATCH
    if loses and not plays_after_losing(stage.state, number):
        return ""
    return _("Whoever would have met you goes on without playing.")


def _place_to_come(facts: EventFacts, number: PlayerId) -> str:
    """Return what becomes of a place in a later stage, "" where the player can have none."""
    stage = facts.open_stage
    if stage is None or facts.plan is None:
        return ""
    index = next_stages(facts, stage).get(number)
    if index is not None:
        values = {"stage": translate(facts.plan.stages[index].label)}
        return _("You give up your place in “%(stage)s”.") % values
    sits = number in stage.state.players and stage.kind.has_table and bool(stage.used)
    if not sits or public_verdicts(facts).get(number) is Verdict.OUT:
        return ""
    return _("If you would go on, whoever comes next takes your place.")
