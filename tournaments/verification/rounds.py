"""Checks of rounds, pairings and matches, also of multiplayer tables.

Source: tables, 11. The tables themselves are never compared, as a later search may find better
ones; what they cost is counted again by code of its own.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from math import lcm

from django.db.models import F
from django.utils.translation import gettext as _

from rules.matches.agreement import find_contradiction
from rules.people.person_names import join_names
from rules.results import PlayerId, Winner
from rules.stages.base import (
    Met,
    Pairing,
    StageState,
    awarded_byes,
    has_multiplayer_tables,
    is_paired_by_hand,
    paired_matches,
    stage_kind,
    state_before_round,
)
from rules.stages.tables import round_seed, small_table_rule, table_entrants
from rules.tables.field import SeatingCost, SmallTableRule, TableEntrant, assign_seats, random_key
from rules.tables.rounds import MOST, pair_table_round, table_sizes
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.extra_matches import tiebreaker_series
from tournaments.core.mapping import match_rules_without_marks, outcome_from_report
from tournaments.core.rows import AnyRound, MatchRow, RoundRow
from tournaments.models import Match, MatchSeat, Report, Round, Stage
from tournaments.verification.historical_results import HistoricalResults
from tournaments.verification.records import (
    Finding,
    contradiction_finding,
    difference_finding,
    full_match_label,
    match_number_label,
    players_finding,
    round_number_label,
    stage_number_label,
)

Tables = tuple[tuple[PlayerId, ...], ...]


def pairs_tables_by_points(stage: StageFacts) -> bool:
    """Return whether a stage pairs multiplayer tables by points, as Swiss rounds do."""
    return has_multiplayer_tables(stage.plan) and stage.kind.pairs_by_points


def check_table_rounds(facts: EventFacts) -> Iterator[Finding]:
    """Yield findings on multiplayer rounds: sizes, byes, seating cost and seats.

    No query; two if a round does not follow from present results.
    """
    for stage in facts.stages:
        if not pairs_tables_by_points(stage):
            continue
        for index, item in enumerate(stage.regular_rounds):
            found = [*_wrong_in(stage, stage.state, index, item)]
            past = HistoricalResults(facts).when_counted(stage, item.ordinal) if found else ()
            for state in past:  # what the tables cost was counted then
                found = found and [*_wrong_in(stage, state, index, item)]
            yield from found


def _wrong_in(
    stage: StageFacts, state: StageState, index: int, round_: RoundRow
) -> Iterator[Finding]:
    before = state_before_round(state, index)
    seated = [
        seats for _group, _number, seats in sorted(paired_matches(state, index), key=lambda m: m[1])
    ]
    tables = tuple(seats for seats in seated if len(seats) > 1)
    resting = {seats[0] for seats in seated if len(seats) == 1}
    known = {one.player: one for one in table_entrants(before)}
    cost = _counted_cost(before, tables, known)
    told = round_.cost or {}
    if any(told.get(key) != number for key, number in cost._asdict().items()):
        yield _finding(round_, "table_cost", _shown(told), " ".join(map(str, cost)))
    if is_paired_by_hand(state, index, draft=round_.state == Round.State.DRAFT):
        return
    sizes = stage.kind.sizes_of(stage.plan)
    awarded = awarded_byes(before)
    known = {player: one for player, one in known.items() if player not in awarded}
    wanted = sorted(table_sizes(len(known), sizes))
    if sorted(map(len, tables)) != wanted:
        yield _finding(round_, "table_sizes", sorted(map(len, tables)), wanted)
        return
    resting -= set(awarded)
    order = sorted(known.values(), key=lambda one: (one.byes, one.points, _lot(before, one.player)))
    rest = {one.player for one in order[: len(known) - sum(wanted)]}
    if resting != rest:
        yield _finding(round_, "table_byes", sorted(resting, key=str), sorted(rest, key=str))
    best = [
        tuple(p.player for p in assign_seats(_of(known, t), round_seed(before))) for t in tables
    ]
    if list(tables) != best:
        yield _finding(round_, "table_seats", list(tables), best)
    if sum(wanted) <= MOST:
        playing = [one for player, one in known.items() if player not in resting]
        least = pair_table_round(
            playing, sizes=sizes, small=small_table_rule(stage.plan), seed=""
        ).cost
        if least < cost:
            yield _finding(
                round_, "table_cost", " ".join(map(str, cost)), " ".join(map(str, least))
            )


def _lot(before: StageState, player: PlayerId) -> bytes:
    return random_key(round_seed(before), player)


def _of(known: dict[PlayerId, TableEntrant], table: Iterable[PlayerId]) -> list[TableEntrant]:
    return [known[player] for player in table if player in known]


def _finding(round_: RoundRow, check: str, found: object, would: object) -> Finding:
    return difference_finding(check, round_number_label(round_.ordinal), found, would)


def _shown(cost: dict[str, object]) -> str:
    return " ".join(str(cost.get(key, "–")) for key in SeatingCost._fields)


def _counted_cost(
    before: StageState, tables: Tables, known: dict[PlayerId, TableEntrant]
) -> SeatingCost:
    """Return the cost of tables, counted pair by pair."""
    playing = [known[player] for table in tables for player in table if player in known]
    usual, small = _usual(before), small_table_rule(before.plan)
    unit = lcm(*(Fraction(one.points).denominator for one in playing))
    points = {one.player: int(one.points * unit) for one in playing}
    least, most = min(points.values(), default=0), max(points.values(), default=0)
    total = SeatingCost(0, 0, 0, 0, 0)
    for table in tables:
        company = _of(known, table)
        few = company if len(table) < usual else []
        own = SeatingCost(
            sum(one.met.get(other.player, 0) for one, other in combinations(company, 2)),
            sum(frozenset((a, b)) in before.apart for a, b in combinations(table, 2)),
            sum(one.small for one in few),
            sum(_distance(points[one.player], least, most, small) for one in few),
            sum(
                (points[one.player] - points[other.player]) ** 2
                for one, other in combinations(company, 2)
            ),
        )
        total = SeatingCost._make(map(sum, zip(total, own, strict=True)))
    return total


def _distance(points: int, least: int, most: int, small: SmallTableRule) -> int:
    return {
        SmallTableRule.LOW: points - least,
        SmallTableRule.HIGH: most - points,
        SmallTableRule.ANY: 0,
    }[small]


def _usual(before: StageState) -> int:
    return stage_kind(before.plan).sizes_of(before.plan)[0]


def check_rounds(facts: EventFacts) -> Iterator[Finding]:
    """Yield findings on round numbers, missing results and pairings.

    Two queries for each Swiss stage, more if a pairing does not follow from present results.
    """
    ordinals = [item.ordinal for item in facts.rounds]
    if ordinals != (would := list(range(1, len(ordinals) + 1))):
        yield difference_finding("round_numbers", _("Event"), ordinals, would)
    for stage in facts.stages:
        numbers = [item.number for item in stage.rounds]
        if numbers != (would := list(range(1, len(numbers) + 1))):
            yield difference_finding(
                "round_numbers", stage_number_label(stage.stage.number), numbers, would
            )
        yield from _matches_without_result(facts, stage)
        yield from _wrong_pairings(facts, stage)
        yield from _repeated_meetings(stage)
        yield from _players_left_out(facts, stage)
        yield from _pairings_of_withdrawn(facts, stage)


def manual_pairing_notes(facts: EventFacts) -> Iterator[Finding]:
    """Yield a note on each round that was paired manually, which isn't compared.

    No query.
    """
    for stage in facts.stages:
        for index, item in enumerate(stage.regular_rounds):
            if _is_by_hand(stage, index):
                played = [p for p, _result in stage.state.rounds[index] if p.by_hand]
                words = _("%(where)s: paired manually: %(pairs)s.")
                values = {"pairs": ", ".join(map(_in_short, played))}
                yield Finding(
                    "by_hand", words % (values | {"where": round_number_label(item.ordinal)})
                )


def _matches_without_result(facts: EventFacts, stage: StageFacts) -> Iterator[Finding]:
    """Yield matches without a result in a closed stage or in any round but the last.

    What a correction gave to other players is played again while the stage goes on; a query where
    there may be such matches.
    """
    closed, again = stage.stage.state == Stage.State.CLOSED, set[int]()
    if stage.missing and not closed:
        others = Match.objects.filter(pk__in=[match.pk for match in stage.missing])
        again = set(others.exclude(earlier=[]).values_list("pk", flat=True))
    for match in stage.missing:
        item = next(each for each in stage.rounds if each.pk == match.round_id)
        if closed or (item.ordinal != facts.last_ordinal and match.pk not in again):
            words = _("%(where)s: no result.")
            where = match_number_label(item.ordinal, match.number)
            yield Finding("results_missing", words % {"where": where})


def _wrong_pairings(facts: EventFacts, stage: StageFacts) -> Iterator[Finding]:
    """Yield rounds that differ from those computed from earlier results.

    A round that was kept at a correction follows from the results at the time of its draft. Rounds
    paired by hand are skipped, and those of `check_table_rounds`.
    """
    for index, item in enumerate(stage.regular_rounds):
        if _is_by_hand(stage, index) or pairs_tables_by_points(stage):
            continue
        made = paired_matches(stage.state, index)
        would = _computed_pairings(stage, stage.state, index)
        if made != would:
            at_draft = HistoricalResults(facts).at_draft(stage, item.ordinal)
            would = _computed_pairings(stage, at_draft, index)
            earlier = map(_as_paired_before, (stage.state, at_draft))
            if any(made == _computed_pairings(stage, state, index) for state in earlier):
                continue
        if made != would:
            stored, computed = (sorted(each, key=str) for each in (made - would, would - made))
            yield difference_finding("pairings", round_number_label(item.ordinal), stored, computed)


def _as_paired_before(state: StageState) -> StageState:
    """Return a stage without missed rounds that made no points.

    Before 29 November 2026 they did not count as byes when the next one was given.
    """
    rounds = tuple(
        tuple(
            (pairing, result)
            for pairing, result in played
            if not (pairing.missed and result.winner is Winner.NONE)
        )
        for played in state.rounds
    )
    return replace(state, rounds=rounds)


def _in_short(pairing: Pairing) -> str:
    return "–".join(map(str, pairing.seats if len(pairing.seats) > 1 else (*pairing.seats, "×")))


def _is_by_hand(stage: StageFacts, index: int) -> bool:
    draft = stage.regular_rounds[index].state == Round.State.DRAFT
    return is_paired_by_hand(stage.state, index, draft=draft)


def _computed_pairings(stage: StageFacts, state: StageState, index: int) -> frozenset[Met]:
    pairings = stage.kind.next_round(state_before_round(state, index))
    return frozenset((p.group, p.number, p.seats) for p in pairings)


def _players_left_out(facts: EventFacts, stage: StageFacts) -> Iterator[Finding]:
    """Yield published Swiss rounds in which an active player has neither opponent nor bye.

    Players who returned after the stage closed don't take part in it any more.
    """
    if not stage.kind.pairs_by_points:
        return
    there = [player for player in stage.state.players if player not in stage.state.withdrawn]
    for item, played in zip(stage.regular_rounds, stage.state.rounds, strict=True):
        seated = {player for pairing, _result in played for player in pairing.seats}
        left = [player for player in there if player not in seated]
        if left and stage.stage.state == Stage.State.CLOSED:
            away = HistoricalResults(facts).away_at_close(stage)
            left = [player for player in left if player not in away]
        if left and item.state == Round.State.PUBLISHED:
            yield players_finding("left_out", round_number_label(item.ordinal), left)


def _pairings_of_withdrawn(facts: EventFacts, stage: StageFacts) -> Iterator[Finding]:
    """Yield Swiss rounds that pair players who had withdrawn before; two queries."""
    if not stage.kind.pairs_by_points or not stage.regular_rounds:
        return
    past = HistoricalResults(facts)
    for index, item in enumerate(stage.regular_rounds):
        there = {
            player
            for _group, _number, pair in paired_matches(stage.state, index)
            for player in pair
        }
        left = sorted(there & past.away_at_draft(item.ordinal), key=str)
        if left:
            yield players_finding("paired_away", round_number_label(item.ordinal), left)


def _repeated_meetings(stage: StageFacts) -> Iterator[Finding]:
    """Yield pairs of a round robin that meet more often than once a leg."""
    if not stage.kind.all_meet:
        return
    met = Counter(
        frozenset(pairing.seats) for played in stage.state.rounds for pairing, _result in played
    )
    for pair, times in met.items():
        if times > stage.stage.legs:
            who = "–".join(map(str, sorted(pair, key=str)))
            where = ", ".join((stage_number_label(stage.stage.number), who))
            yield difference_finding("meetings", where, times, stage.stage.legs)


def check_matches(facts: EventFacts) -> Iterator[Finding]:
    """Yield findings on matches with contradictory seats, reports or results.

    Two queries.
    """
    reports: dict[int, list[Report]] = defaultdict(list)
    for report in Report.objects.filter(match__round__event=facts.event).order_by("version"):
        reports[report.match_id].append(report)
    seats: dict[int, list[tuple[int, int]]] = defaultdict(list)
    stored = MatchSeat.objects.filter(match__round__event=facts.event, round=F("match__round"))
    for match_id, *seat in stored.order_by("number").values_list("match_id", "number", "entry_id"):
        seats[match_id].append((seat[0], seat[1]))
    names = {entry.pk: entry.name for entry in facts.entries.values()}
    for stage in facts.stages:
        by_key = {item.pk: item for item in stage.rounds}
        twice = _matches_seated_twice(stage)
        for match in stage.matches:
            where = _match_in_words(by_key[match.round_id], match, names)
            if seats[match.pk] != [*enumerate(match.seats, start=1)] or match.pk in twice:
                yield contradiction_finding("seats_of_match", where)
            yield from _wrong_versions(match, reports[match.pk], where)
            yield from _wrong_result(stage, match, where)


def _match_in_words(round_: AnyRound, match: MatchRow, names: Mapping[int, str]) -> str:
    players = join_names(names[key] for key in match.seats)
    return full_match_label(round_.ordinal, match.number, match.table, players)


def _matches_seated_twice(stage: StageFacts) -> set[int]:
    """Return the keys of matches with a player who is seated twice in their round."""
    sat: dict[tuple[int, int], list[int]] = defaultdict(list)
    for match in stage.matches:
        for entry in match.seats:
            sat[match.round_id, entry].append(match.pk)
    return {key for keys in sat.values() if len(keys) > 1 for key in keys}


def _wrong_versions(match: MatchRow, reports: list[Report], where: str) -> Iterator[Finding]:
    """Yield a match with missing or reordered reports, or a wrong state."""
    versions = [report.version for report in reports]
    decided = match.decision is None or match.decision.pk in {r.pk for r in reports}
    final = (match.state == Match.State.FINAL) == (match.decision is not None)
    would = list(range(1, match.version + 1))
    if versions != would or not decided or not final:
        yield difference_finding("reports", where, f"{versions} {match.state}", would)


def _wrong_result(stage: StageFacts, match: MatchRow, where: str) -> Iterator[Finding]:
    """Yield a result that contradicts itself, or a drawn knock-out."""
    if match.decision is None:
        return
    rules = match_rules_without_marks(match, stage.event, timed=stage.plan.timed)
    problem = find_contradiction(rules, outcome_from_report(match.decision, match.size))
    if problem is not None:
        words = _("%(where)s: impossible result: %(told)s.")
        yield Finding("impossible_result", words % {"where": where, "told": problem})


def check_tiebreaker_rounds(facts: EventFacts) -> Iterator[Finding]:
    """Yield findings on tiebreaker matches: tied players must meet once each.

    No query.
    """
    for stage in facts.stages:
        yield from _wrong_extra_rounds(stage)
        for item, extra in stage.extra_sets:
            series = tiebreaker_series(stage, extra)
            index = next(i for i, each in enumerate(series.rounds) if each is extra)
            made = [p.seats for p, _result in extra.played if not p.missed]
            would = list(series.pairs(index))
            if sorted(made, key=str) != sorted(would, key=str):
                yield difference_finding(
                    "extra_matches", round_number_label(item.ordinal), made, would
                )


def _wrong_extra_rounds(stage: StageFacts) -> Iterator[Finding]:
    """Yield a finding for each round of tiebreaker matches that cannot be one.

    Its players are fewer than two or not of the stage, a match of it may end drawn, or it holds
    matches of players whom it does not name.
    """
    for item, extra in stage.extra_sets:
        seated = set(extra.level) <= set(stage.state.players)
        drawn = any(pairing.draws and not pairing.missed for pairing, _result in extra.played)
        others = len(stage.matches_of(item)) != sum(
            len(each.played) for of, each in stage.extra_sets if of.pk == item.pk
        )
        if not seated or drawn or others or len(set(extra.level)) < 2:
            yield contradiction_finding("extra_matches", round_number_label(item.ordinal))
