"""The page of a player who should not have been in: what was made with them, and the ways on."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import PlayerId
from rules.stages.kind import is_of_tables
from tournaments.core.event_state import EventFacts
from tournaments.core.kept_places import where_of
from tournaments.core.mapping import result_of
from tournaments.corrections.selectors.choices import Correction
from tournaments.corrections.selectors.names import ShortNames
from tournaments.corrections.selectors.page import ChoicesPage, choices_page
from tournaments.corrections.selectors.players import matches_left
from tournaments.corrections.selectors.wording import Fact, at_table, what_was_played


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerPage:
    """What was made with a player, and what becomes of it.

    ``where`` is the seat in words, "" without one in the stage in progress; ``played`` is how many
    results there are, ``lost`` what becomes of the matches not played if the player is out from
    now on, ``later`` of those to come.
    """

    choices: ChoicesPage
    where: str
    matches: tuple[Fact, ...]
    played: int
    lost: tuple[str, ...]
    later: str


def player_page(
    facts: EventFacts, player: PlayerId, found: Correction, names: ShortNames
) -> PlayerPage:
    """Return the page of a player who should not have been in; no query."""
    own, numbers = facts.entries[player].pk, facts.numbers
    matches, played = [], 0
    for stage in facts.stages:
        for item in stage.rounds:
            for row in stage.matches_of(item):
                if own in row.seats and not row.missed:
                    was = result_of(row, item.number, numbers)
                    played += was.is_played and len(row.seats) > 1
                    words = what_was_played(item, row, was, names)
                    matches.append(Fact(where=at_table(item, row), words=words))
    lost = []
    for item, row in matches_left(facts, player):
        company = [numbers[key] for key in row.seats if key != own]
        lost.append(f"{at_table(item, row)}: {_without_player(company, names)}")
    return PlayerPage(
        choices=choices_page(found, names),
        where=_where(facts, player),
        matches=tuple(matches),
        played=played,
        lost=tuple(lost),
        later=_later(facts, player),
    )


def _without_player(company: Sequence[PlayerId], names: ShortNames) -> str:
    """Return what a match becomes that a player leaves to the others."""
    if len(company) == 1:
        return _("%(name)s wins by forfeit") % {"name": names.of(company[0])}
    return _("the others play on")


def _where(facts: EventFacts, player: PlayerId) -> str:
    stage = facts.open_stage
    if stage is None:
        return ""
    held = (group for group, players in stage.state.seats.items() if player in players)
    return next((where_of(stage, group) for group in held), "")


def _later(facts: EventFacts, player: PlayerId) -> str:
    """Return what becomes of the matches to come of a player who is out from now on."""
    stage = facts.open_stage
    if stage is None or player not in stage.state.players:
        return _("No match is to come.")
    values = {"stage": translate(stage.plan.label)}
    if stage.kind.pairs_by_points:
        return _("From the next round on the player is not paired in “%(stage)s”.") % values
    if stage.kind.has_bracket:
        return _("Whoever meets the player in “%(stage)s” goes on without playing.") % values
    if is_of_tables(stage.plan):
        return _("At the tables of “%(stage)s” the others play on.") % values
    return _("The opponents still to come in “%(stage)s” win by forfeit.") % values
