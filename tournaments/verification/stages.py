"""Checks of seats, of the places stored when a stage closed, and of standings.

Standings are counted again from the results by independent code.

Source: tables, 3, 4, 6 and 11.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from django.db.models import F
from django.utils.translation import gettext as _

from rules.advancement.outcome import seat_players, stage_outcome
from rules.results import SEAT_WINNERS, PlayerId, Points, Result, Winner
from rules.stages.base import has_multiplayer_tables
from rules.standings.table import Standings
from rules.tables.results import TablePoints, to_table_result
from tournaments.core.acts import LogTopic, actions_by_topic
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.kept_places import starting_places
from tournaments.core.mapping import event_points, event_table_points, match_result
from tournaments.models import LogLine, Report, Seat, Stage
from tournaments.stages.selectors import origin_groups
from tournaments.verification.historical_results import (
    CLOSED,
    REDONE,
    RESTORED,
    UNDONE,
    HistoricalResults,
    drop_reverted_lines,
    seat_corrections,
)
from tournaments.verification.records import (
    Finding,
    contradiction_finding,
    difference_finding,
    match_number_label,
    players_finding,
    stage_number_label,
)

Criteria = tuple[str, ...]
CHANGED = "event.changed"


def closing_criteria(facts: EventFacts) -> dict[str, Criteria]:
    """Return {stage key: tiebreakers in force when its places were stored}.

    Places are stored when a stage closes, and when a correction moves them. Former tiebreakers are
    read from the log line of the first later change. One query.
    """
    now = tuple(facts.event.criteria)
    found = {stage.stage.key: now for stage in facts.stages}
    actions = (CLOSED, CHANGED, *actions_by_topic(LogTopic.FOLLOWED), UNDONE, REDONE, RESTORED)
    lines = LogLine.objects.filter(event=facts.event, action__in=actions).order_by("number")
    moved = dict(seat_corrections(drop_reverted_lines(lines)))
    held, seen = now, set[str]()
    for line in reversed(lines):
        stored = line.subject if line.action == CLOSED else ""
        if line.number in moved:
            stored = moved[line.number].after.get("places_of") or ""
        if stored and stored not in seen:
            seen.add(stored)
            found[stored] = held
        elif "criteria" in line.before and line.action == CHANGED:
            held = tuple(line.before["criteria"])
    return found


def check_stages(facts: EventFacts) -> Iterator[Finding]:
    """Yield findings on stored seats and places that earlier stages don't give.

    Two queries, more if places don't follow from present results.
    """
    astray = Seat.objects.filter(group__stage__event=facts.event).exclude(stage=F("group__stage"))
    for group, number in astray.values_list("group__name", "number"):
        where = _("Group %(name)s") % {"name": group}
        yield contradiction_finding("seats", f"{where}, {number}")
    places: dict[str, PlayerId] = starting_places(facts)
    before: list[StageFacts] = []
    criteria = closing_criteria(facts)
    for stage in facts.stages:
        if stage.groups:
            yield from _wrong_seats(stage, places, before)
        if stage.stage.state == Stage.State.CLOSED:
            yield from _wrong_places(facts, stage, criteria[stage.stage.key])
            yield from _wrong_advancement(stage)
            places |= stage.stage.places
        before.append(stage)


def _wrong_seats(
    stage: StageFacts, places: Mapping[str, PlayerId], before: Iterable[StageFacts]
) -> Iterator[Finding]:
    would = seat_players(stage.plan, places, origin_groups(before))
    for group, players in would.items():
        stored = stage.state.seats.get(group, ())
        if stored != players:
            where = stage_number_label(stage.stage.number, group)
            yield difference_finding("seats", where, list(stored), list(players))


def _wrong_places(facts: EventFacts, stage: StageFacts, criteria: Criteria) -> Iterator[Finding]:
    """Yield a closed stage whose stored places do not follow from its results.

    Players who left after it closed hold their places. Places that were kept at a correction
    follow from the results at the time of closing; two queries more where they differ.
    """
    stored: dict[str, PlayerId] = stage.stage.places
    there = stage.state.withdrawn - set(stored.values())
    staying = replace(stage, state=replace(stage.state, withdrawn=there))
    computed = _computed_places(staying, criteria)
    if stored == computed:
        return
    if stored != _computed_places(HistoricalResults(facts).at_close(stage), criteria):
        yield difference_finding("places", stage_number_label(stage.stage.number), stored, computed)


def _computed_places(stage: StageFacts, criteria: Criteria) -> dict[str, PlayerId]:
    found = stage_outcome(
        stage.state,
        criteria=criteria,
        points=event_points(stage.event),
        lots=stage.lots,
        used=stage.used,
        penalties=stage.penalties,
    )
    return dict(found.places)


def _wrong_advancement(stage: StageFacts) -> Iterator[Finding]:
    """Yield players who advance twice or from another stage."""
    holders = [stage.stage.places[name] for name in stage.used if name in stage.stage.places]
    strangers = set(holders) - set(stage.state.players)
    if strangers or len(set(holders)) != len(holders):
        yield players_finding("advancing", stage_number_label(stage.stage.number), sorted(holders))


def check_strikes(facts: EventFacts) -> Iterator[Finding]:
    """Yield findings on matches wrongly void, or wrongly not.

    Removing a player from a group voids all their matches there. No query.
    """
    numbers = {entry.pk: number for number, entry in facts.entries.items()}
    for stage in facts.stages:
        ordinals = {item.pk: item.ordinal for item in stage.rounds}
        for match in stage.matches:
            decision = match.decision
            if decision is None:
                continue
            sides = {numbers[key] for key in match.seats}
            struck = bool(sides & stage.state.struck)
            void = decision.winner == Winner.VOID
            by_rule = void and decision.kind == Report.Kind.AUTOMATIC
            if (struck and not void) or (by_rule and not struck):
                where = match_number_label(ordinals[match.round_id], match.number)
                yield contradiction_finding("strikes", where)


class RecountedFigures(NamedTuple):
    """A player's figures at multiplayer tables, counted again from the results.

    ``points``: made; ``most``: the most possible; ``met``: opponents, repeated ones more often;
    ``played``: rounds with a result, byes included.
    """

    points: Fraction
    most: Fraction
    byes: int
    met: tuple[PlayerId, ...]
    played: int


def check_table_standings(
    stage: StageFacts, standings: Standings, results: Sequence[Result]
) -> Iterator[Finding]:
    """Yield findings on the figures in standings of multiplayer tables.

    results: of the group's matches, from which the figures are counted again.
    """
    points, usual = event_table_points(stage.event), stage.kind.sizes_of(stage.plan)[0]
    tables = [table for table in map(to_table_result, results) if table.counts]
    counted = {
        player: _counted(player, tables, points) for player in (r.player for r in standings.rows)
    }
    floor = Fraction(1, usual) if points.floor is None else points.floor
    shares = {player: _share(own, points, floor) for player, own in counted.items()}
    for row in standings.rows:
        own = counted[row.player]
        met = [shares[one] for one in own.met] + [floor] * (
            own.byes * (usual - 1) if points.bye_adds else 0
        )
        others = [counted[one].points for one in own.met]
        would = {
            "points": own.points,
            "own_share": shares[row.player],
            "opponents_share": sum(met, Fraction()) / len(met) if met else Fraction(),
            "opponents_average": sum(others, Fraction()) / len(others) if others else Fraction(),
        }
        shown = {key: row.values.get(key, number) for key, number in would.items()}
        if shown != would or row.played != own.played:
            yield _wrong_figures(
                "standings",
                stage,
                row.player,
                (*shown.values(), row.played),
                (*would.values(), own.played),
            )


def _wrong_figures(
    check: str,
    stage: StageFacts,
    player: PlayerId,
    shown: Iterable[object],
    counted: Iterable[object],
) -> Finding:
    where = " ".join((f"{stage_number_label(stage.stage.number)},", _("Player"), str(player)))
    return difference_finding(check, where, "/".join(map(str, shown)), "/".join(map(str, counted)))


def check_cut_order(stage: StageFacts, standings: Standings) -> Iterator[Finding]:
    """Yield a finding if the order in a top cut of multiplayer tables is wrong."""
    order = [row.player for row in standings.rows]
    would = _cut_order(stage)
    if order != would:
        yield difference_finding("order", stage_number_label(stage.stage.number), order, would)


def _counted(player: PlayerId, tables: Sequence[Result], points: TablePoints) -> RecountedFigures:
    made, most, byes, met, played = Fraction(), Fraction(), 0, list[PlayerId](), 0
    for table in tables:
        if player not in table.seats:
            continue
        played += 1
        places = dict(zip(table.seats, table.places or (), strict=True))
        if len(table.seats) == 1:
            rested = places[player] == 1
            byes += rested
            made += points.bye if rested else 0
            most += 0 if rested else _alone_first(points)
            continue
        met += [other for other in table.seats if other != player]
        most += _alone_first(points)
        made += _worth(places[player], [place for place in places.values() if place], points)
    return RecountedFigures(made, most, byes, tuple(met), played)


def _alone_first(points: TablePoints) -> int:
    return points.by_place[0] if points.by_place else points.first


def _worth(place: int | None, present: Sequence[int], points: TablePoints) -> Fraction:
    if place is None:
        return Fraction()
    level = Counter(present)[place]
    if not points.by_place:
        alone = points.first if level == 1 else points.drawn
        return Fraction(alone if place == 1 else points.other)
    first = 1 if level == len(present) else place
    numbers = dict(enumerate(points.by_place, start=1))
    return Fraction(sum(numbers.get(at, 0) for at in range(first, first + level)), level)


def _share(own: RecountedFigures, points: TablePoints, floor: Fraction) -> Fraction:
    rested = own.byes * points.bye
    made = own.points if points.bye_counts else own.points - rested
    most = own.most + (rested if points.bye_counts else 0)
    return max(floor, made / most) if most else floor


def _cut_order(stage: StageFacts) -> list[PlayerId]:
    """Return the players of a cut, best first, from who is at each step."""
    (seats,) = stage.state.seats.values()
    seeds: dict[PlayerId, int] = {one: at for at, one in enumerate(seats) if one is not None}
    last: dict[PlayerId, int] = defaultdict(int)
    for number, played in enumerate(stage.state.rounds, start=1):
        for pairing, _result in played:
            for player in pairing.seats:
                last[player] = number
    rounds, over = len(stage.state.rounds), stage.state.is_played
    final = stage.state.rounds[-1] if rounds == stage.kind.total_rounds(stage.state) else ()
    held = {player: (at, 0) for player, at in seeds.items()}
    if over and final:
        ((_pairing, result),) = [one for one in final if len(one[0].seats) > 1] or [final[0]]
        told = dict(zip(result.seats, result.places or (2,) * len(result.seats), strict=True))
        first = min(told, key=lambda one: (told[one] or 9, seeds[one]))
        order = sorted(told, key=lambda one: (one != first, told[one] or 9, seeds[one]))
        held |= {player: (-1, at) for at, player in enumerate(order)}
    out_in = {player: last[player] for player in seeds}
    if over and not final and rounds:
        going = {p for pairings in stage.kind.next_round(stage.state) for p in pairings.seats}
        out_in |= dict.fromkeys(going, rounds + 1)
    elif not over:
        out_in |= {player: rounds for player, at in last.items() if at == rounds}
    return sorted(seeds, key=lambda one: (-out_in[one], held[one]))


def check_standings(facts: EventFacts) -> Iterator[Finding]:
    """Yield findings on standings: wrong figures, or tiebreaks without proof."""
    points = event_points(facts.event)
    for stage in [each for each in facts.stages if each.groups]:
        for group, standings in stage.outcome.standings.items():
            results = _results(facts, stage, group)
            if has_multiplayer_tables(stage.plan):
                yield from _at_tables(stage, group, standings, results)
                continue
            yield from _wrong_rows(stage, standings, results, points)
            yield from _wrong_opponents_points(stage, group, standings, results)
            yield from _wrong_order(stage, group, standings)


def _at_tables(
    stage: StageFacts, group: str, standings: Standings, results: tuple[Result, ...]
) -> Iterator[Finding]:
    yield from check_table_standings(stage, standings, results)
    if stage.kind.own_order(stage.state) is None:
        yield from _wrong_order(stage, group, standings)
    else:
        yield from check_cut_order(stage, standings)


def _results(facts: EventFacts, stage: StageFacts, group: str) -> tuple[Result, ...]:
    """Return the results of a group from its matches, without tiebreaker matches."""
    own = {each.pk for each in stage.groups if each.name == group}
    return tuple(
        match_result(match, item.number, facts.numbers)
        for item in stage.regular_rounds
        for match in stage.matches_of(item)
        if match.group_id in own
    )


def _wrong_rows(
    stage: StageFacts, standings: Standings, results: tuple[Result, ...], points: Points
) -> Iterator[Finding]:
    for row in standings.rows:
        own = [r for r in results if row.player in r.seats and r.counts]
        counted = _counted_figures(own, row.player, points)
        shown = {key: row.values.get(key, number) for key, number in counted.items()}
        shown["played"] = Fraction(row.played)
        if counted != shown:
            yield _wrong_figures("standings", stage, row.player, shown.values(), counted.values())


def _counted_figures(own: list[Result], player: PlayerId, points: Points) -> dict[str, Fraction]:
    """Return matches played, points, score and score difference of a player."""
    pairs = [r for r in own if len(r.seats) == 2]
    made = sum(r.score_of(player) or 0 for r in pairs)
    conceded = sum(r.score_of(one) or 0 for r in pairs for one in r.seats if one != player)
    return {
        "played": Fraction(len(own)),
        "points": Fraction(sum(_points(r, player, points) for r in own), points.parts),
        "score_for": Fraction(made),
        "score_difference": Fraction(made - conceded),
    }


def _points(result: Result, player: PlayerId, points: Points) -> int:
    if result.winner is Winner.DRAW:
        return points.draw
    own = SEAT_WINNERS[result.seats.index(player)]
    return points.win if result.winner is own else points.loss


def _wrong_opponents_points(
    stage: StageFacts, group: str, standings: Standings, results: tuple[Result, ...]
) -> Iterator[Finding]:
    """Yield rows of a finished round robin with wrong opponents' points.

    As everybody met everybody once a leg, they are legs × (all points - own points).
    """
    whole = stage.kind.all_meet and stage.rounds_done and all(r.counts for r in results)
    total = sum(row.values.get("points", Fraction(0)) for row in standings.rows)
    for row in standings.rows if whole else ():
        would = stage.stage.legs * (total - row.values.get("points", Fraction(0)))
        found = row.values.get("opponents_points", would)
        if "points" in row.values and found != would:
            yield _wrong_figures("opponents", stage, row.player, (found,), (would,))


def _wrong_order(stage: StageFacts, group: str, standings: Standings) -> Iterator[Finding]:
    """Yield a table with decreasing ranks, or with a rank after the first without a proof."""
    ranks = [row.rank for row in standings.rows]
    first = ranks[0] if ranks else 1
    reasons = all(row.proof is not None for row in standings.rows if row.rank != first)
    if ranks != sorted(ranks) or not reasons:
        yield contradiction_finding("order", stage_number_label(stage.stage.number, group))
