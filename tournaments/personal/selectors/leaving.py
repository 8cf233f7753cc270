"""What leaving the event now would cost a player, in sentences, and the list of a player's
events.
"""

from collections.abc import Iterator
from typing import Any

from django.core.paginator import Page, Paginator
from django.utils.translation import gettext as _

from accounts.models import User
from config.wording import translate
from rules.events.own_page import Leaving, OwnState
from rules.results import PlayerId
from rules.scenarios import Verdict
from rules.scenarios.verdicts import plays_after_losing
from rules.stages.kind import is_of_tables
from tournaments.core.draw_origins import drawn, readable_rows
from tournaments.core.event_state import EventFacts
from tournaments.core.permissions import Actor
from tournaments.events.selectors.events import A_PAGE
from tournaments.models import Entry, Event
from tournaments.players.selectors.returns import to_come
from tournaments.prospects.selectors import public_verdicts
from tournaments.public.selectors.listed import all_drawn_everywhere
from tournaments.repeats.selectors import to_repeat
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


def my_events(user: User, playing: str | int = 1, working: str | int = 1) -> dict[str, Any]:
    """Return a user's events, the latest first.

    At most six queries, one where an event is damaged, and those of ``all_drawn_everywhere``.

    ``to_repeat`` are the keys of those that the user may repeat and has not repeated yet.
    ``damaged``: slug and name of those on the page of the staff that some list can't show.
    """
    entries = Entry.objects.filter(user=user).exclude(event__state=Event.State.DRAFT)
    entries = entries.select_related("event").order_by("-event__starts_at", "-pk")
    entries_page = Paginator(readable_rows(entries), A_PAGE).get_page(playing)
    staffed = Event.objects.of_staff(user).order_by("-starts_at", "-pk")
    staffed_page = Paginator(readable_rows(staffed), A_PAGE).get_page(working)
    shown = tuple(all_drawn_everywhere(list(staffed_page)))
    return {
        "entries": tuple(drawn(entries_page, _with_beginning)),
        "entries_page": entries_page,
        "is_empty": not (entries_page.paginator.count or staffed_page.paginator.count),
        "staffed": shown,
        "staffed_page": staffed_page,
        "to_repeat": to_repeat(Actor(user=user), shown),
        "damaged": _damaged_events(staffed_page, shown),
    }


def _with_beginning(entry: Entry) -> Entry:
    _begins: Any = entry.event.begins
    return entry


def _damaged_events(page: Page[Event], shown: tuple[Event, ...]) -> tuple[tuple[str, str], ...]:
    """Return the events of a page that are not among those shown; no query where all are."""
    if len(shown) == page.end_index() - max(page.start_index(), 1) + 1:
        return ()
    of_page: Any = page.paginator.object_list[page.start_index() - 1 : page.end_index()]
    named = of_page.values_list("pk", "slug", "name")
    known = {event.pk for event in shown}
    return tuple((slug, name) for pk, slug, name in named if pk not in known)
