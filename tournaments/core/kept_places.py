"""Places of closed stages: those known, and those whose holder is not who belongs there, as a
correction was kept.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from django.utils.translation import gettext as _

from config.wording import translate
from rules.advancement.from_groups import count_players_by_group
from rules.formulas.describe import compared_group_sizes, uneven_comparison_message
from rules.results import PlayerId
from rules.standings.table import Standings
from tournaments.core.acts import LogTopic, actions_by_topic
from tournaments.core.event_state import EventFacts, StageFacts, cached_value
from tournaments.core.labels import place_phrase
from tournaments.models import Draw, LogLine, Stage


def stage_with_place_holders(stage: StageFacts) -> StageFacts:
    """Return the stage; a closed one as if its place holders had not dropped."""
    if stage.stage.state != Stage.State.CLOSED:
        return stage
    away = stage.state.withdrawn - frozenset(stage.stage.places.values())
    if away == stage.state.withdrawn:
        return stage
    return replace(stage, state=replace(stage.state, withdrawn=away))


def standings_across_groups(stage: StageFacts) -> Mapping[int, Standings]:
    """Return {rank: standings} that compare the players of one rank across groups.

    Of a closed stage as it closed: players who dropped since are still in. Cached.
    """
    return cached_value(stage, "compared", lambda: stage_with_place_holders(stage).outcome.compared)


def seat_for_place(
    facts: EventFacts, stage: StageFacts, place: str
) -> tuple[StageFacts, str] | None:
    """Return (later stage, group name) where a place of ``stage`` is seated.

    ``place``: code of the place. None if it is seated nowhere. No query.
    """
    later = (each for each in facts.stages if each.stage.number > stage.stage.number)
    seats = ((each, g.name) for each in later for g in each.plan.groups if place in g.seats)
    return next(seats, None)


def seat_location_text(stage: StageFacts, group: str) -> str:
    """Return a group as "in group A"; "in “Final”" for a stage with one group."""
    if len(stage.plan.groups) > 1:
        return _("in group %(name)s") % {"name": group}
    return _("in “%(name)s”") % {"name": translate(stage.plan.label)}


def reassigned_places(stage: StageFacts) -> Iterator[tuple[str, PlayerId, PlayerId]]:
    """Yield (place code, holder, player by results) where the two players differ.

    That is in a closed stage, after a correction that left places as they were.
    """
    if stage.stage.state == Stage.State.CLOSED:
        would = stage_with_place_holders(stage).outcome.places
        for place, holder in stage.stage.places.items():
            if place in stage.used and would.get(place, holder) != holder:
                yield place, holder, would[place]


def reassignment_texts(facts: EventFacts, number: PlayerId | None = None) -> tuple[str, ...]:
    """Return sentences on who plays in whose place after a correction, and why.

    ``number``: only those about this player. One query if there are any.
    """
    kept = [
        (stage, place, holder, belongs)
        for stage in facts.stages
        for place, holder, belongs in reassigned_places(stage)
        if number is None or number in (holder, belongs)
    ]
    if not kept:
        return ()
    decided = _deciding_lines(facts)
    return tuple(
        _kept_place_sentence(facts, stage, place, holder, belongs, decided.get(place))
        for stage, place, holder, belongs in kept
    )


def reassignment_log_line(facts: EventFacts, place: str) -> LogLine | None:
    """Return the log line by which the staff let a player keep a place; one query.

    ``place``: code of the place. None if there is none.
    """
    return _deciding_lines(facts).get(place)


def _deciding_lines(facts: EventFacts) -> dict[str, LogLine]:
    """Return by place the last line that tells who keeps it; one query."""
    decided: dict[str, LogLine] = {}
    lines = LogLine.objects.filter(
        event=facts.event, action__in=actions_by_topic(LogTopic.KEPT_PLACE)
    )
    for line in lines.select_related("by").order_by("number"):
        decided |= {each["place"]: line for each in line.after.get("kept", ())}
    return decided


def _kept_place_sentence(
    facts: EventFacts,
    stage: StageFacts,
    place: str,
    holder: PlayerId,
    belongs: PlayerId,
    line: LogLine | None,
) -> str:
    seat = seat_for_place(facts, stage, place)
    values = {
        "belongs": facts.entries[belongs].display_name,
        "place": place_phrase(stage.plan, place),
        "holder": facts.entries[holder].display_name,
        "where": seat_location_text(*seat) if seat else "",
        "who": (line.by.name if line.by else line.by_name) if line else "",
        "reason": line.reason if line else "",
    }
    if line is None or not values["who"]:
        return _("%(holder)s has the seat of %(belongs)s (%(place)s): %(where)s.") % values
    words = _(
        "%(belongs)s finished %(place)s, but %(who)s gave the seat (%(where)s) to "
        "%(holder)s. Reason: %(reason)s"
    )
    return words % values


def decided_places(facts: EventFacts) -> dict[str, PlayerId]:
    """Return {place code: player} for all decided places so far; no query."""
    places: dict[str, PlayerId] = dict(starting_places(facts))
    for stage in facts.stages:
        if stage.stage.state == Stage.State.CLOSED:
            places |= stage.stage.places
        elif stage.stage.state == Stage.State.OPEN:
            places |= stage.outcome.places
    return places


def starting_places(facts: EventFacts) -> dict[str, PlayerId]:
    """Return {place code: player} for the starting order as last drawn or corrected.

    {} before the start. No query.
    """
    drawn = [draw for draw in facts.draws if draw.kind == Draw.Kind.START]
    if facts.plan is None:
        return {}
    return facts.plan.start_holders(drawn[-1].order if drawn else [])


def uneven_groups_note(stage: StageFacts) -> str:
    """Return a sentence on comparing groups of unequal size, or ""; no query."""
    sizes = compared_group_sizes(stage.plan, stage.used, count_players_by_group(stage.state))
    return translate(uneven_comparison_message(stage.plan, sizes)) if sizes else ""
