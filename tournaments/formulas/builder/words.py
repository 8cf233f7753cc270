"""Labels of places: "1st of group A", "best 3rd-placed", "winner of semi-final 2"."""

from collections import Counter
from dataclasses import dataclass

from django.utils.translation import gettext as _

from config.wording import translate
from rules.brackets.single import BracketMatch
from tournaments.core.labels import best_placed, ordinal
from tournaments.formulas.builder.draft import Draft, number_typed
from tournaments.formulas.builder.places import matches_of_stage, places_of, players_at_most
from tournaments.formulas.builder.sources import START, Source

STARTERS = 8
"""Places of the starting order that can be chosen for a later stage, by players with a bye."""
MANY = 2000  # choices on a page
FEW = 6
"""Least number of places offered at each seat."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChoice:
    """A place in a list of choices; ``taken`` is the label of the seat that has it."""

    token: str
    label: str
    taken: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceChoices:
    """The places of one stage, or of the start, under a heading."""

    heading: str
    choices: tuple[PlaceChoice, ...]


def stage_words(draft: Draft, at: int) -> str:
    """Return the label of stage ``at``, counted from 1, as "Stage 2: Final"."""
    name = draft.stages[at - 1].values.get("name", "").strip()
    return _("Stage %(number)s: %(name)s") % {"number": at, "name": name or "…"}


def place_words(draft: Draft, place: Source) -> str:
    """Return the label of a place of one of the draft's stages."""
    if place.from_start:
        return _("%(place)s of the order at the start") % {"place": ordinal(place.number)}
    stage = draft.stages[place.stage - 1]
    rank = ordinal(place.number)
    if place.in_group:
        if len(stage.groups) == 1:
            name = stage.values.get("name", "").strip()
            return _("%(place)s of “%(stage)s”") % {"place": rank, "stage": name}
        known = 0 < place.group <= len(stage.groups)
        group = stage.groups[place.group - 1].name if known else "?"
        return _("%(place)s of group %(group)s") % {"place": rank, "group": group}
    if place.across_groups:
        return best_placed(place.nth, place.number)
    match = _match_words(draft, place)
    words = _("Winner: %(match)s") if place.wins else _("Loser: %(match)s")
    return words % {"match": match}


def _match_words(draft: Draft, place: Source) -> str:
    """Return the name of a match: by its round near the end of a knock-out, else its number."""
    stage = draft.stages[place.stage - 1]
    every = matches_of_stage(draft, place.stage)
    found = next((match for match in every if match.number == place.number), None)
    if found is None or number_typed(stage.values.get("survivors", ""), 1) > 1:
        return _("match %(number)s") % {"number": place.number}
    if stage.shape.two_brackets or found.third_place:
        return translate(found.label)
    if found.distance == 0:
        return _("final")
    level = [match.number for match in every if match.distance == found.distance]
    return _in_round(found, level.index(found.number) + 1)


def _in_round(match: BracketMatch, nth: int) -> str:
    named = {1: _("semi-final %(number)s"), 2: _("quarter-final %(number)s")}
    usual = _("match %(number)s of the round of %(players)s")
    values = {"number": nth, "players": 2 ** (match.distance + 1)}
    return named.get(match.distance, usual) % values


def place_choices(draft: Draft, at: int) -> tuple[PlaceChoices, ...]:
    """Return the places that a stage (from 1) can take, those of the latest stage first.

    In large drafts only the first free ones, to limit the page's size.
    """
    stages = enumerate(draft.stages, start=1)
    taken = {source: number for number, stage in stages for source in stage.sources()}
    lists = offered_places(draft, at)
    seats = sum(len(group.seats) for group in draft.stages[at - 1].groups)
    if seats * sum(len(places) for _heading, places in lists) > MANY:
        left = max(FEW, MANY // seats)
        free = [(heading, [p for p in places if p not in taken]) for heading, places in lists]
        lists = []
        for heading, places in free:
            lists.append((heading, places[:left]))
            left -= len(places[:left])
    labels = {place: place_words(draft, place) for _heading, places in lists for place in places}
    often = Counter(labels.values())
    return tuple(
        PlaceChoices(
            heading=heading,
            choices=tuple(
                PlaceChoice(
                    token=place.token,
                    label=_label(place, labels[place], ambiguous=often[labels[place]] > 1),
                    taken=_("taken in stage %(number)s") % {"number": taken[place]}
                    if place in taken
                    else "",
                )
                for place in places
            ),
        )
        for heading, places in lists
        if places
    )


def offered_places(draft: Draft, at: int) -> list[tuple[str, list[Source]]]:
    """Return every place that a stage (from 1) can take, by heading."""
    lists = [(stage_words(draft, stage), places_of(draft, stage)) for stage in range(at - 1, 0, -1)]
    last = players_at_most(draft) if at == 1 else min(players_at_most(draft), STARTERS)
    start = [Source(kind=START, number=place) for place in range(1, last + 1)]
    return [*lists, (_("Order at the start"), start)]


def _label(place: Source, words: str, *, ambiguous: bool) -> str:
    if not ambiguous:
        return words
    return _("%(place)s (stage %(number)s)") % {"place": words, "number": place.stage}


def lost_words(draft: Draft, place: Source) -> str:
    """Return the label of a chosen place that no longer exists."""
    there = place.from_start or 0 < place.stage <= len(draft.stages)
    words = place_words(draft, place) if there else "?"
    return _("%(place)s – nobody comes from there") % {"place": words}
