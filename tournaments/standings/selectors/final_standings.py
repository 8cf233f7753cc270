"""The final standings: podium, each player's result in every stage, five figures of the event."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from config.wording import translate
from rules.results import EndedBy, PlayerId, Winner
from tournaments.core.event_state import (
    EventFacts,
    StageFacts,
    restoration_of,
    restored_words,
)
from tournaments.core.kept_places import kept_in_words
from tournaments.core.labels import rank_ordinal, round_of_match, shared_ranks, shown_record
from tournaments.core.mapping import play_of, score_of
from tournaments.core.rows import MatchRow
from tournaments.core.values_cache import cached
from tournaments.matches.words import scores_of
from tournaments.models import Event, Match, Stage
from tournaments.standings.selectors.beside import beside_standings
from tournaments.standings.selectors.ranking import (
    RankingPage,
    RankingRow,
    ranking_page,
    records,
)
from tournaments.standings.selectors.standings import earlier_standings, stage_standings

NOT_COUNTED = (EndedBy.VOID, EndedBy.BYE)
OF_POINTS = ("points", "promotion")
"""Scores that tell by how much a match was won; that of games only says who won it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A figure about the event."""

    value: str
    words: str


def standings_page(facts: EventFacts, ordinal: int = 0) -> dict[str, Any]:
    """Return the content of the page of standings: the final ones, and those of each stage.

    ``ordinal`` is the number of an earlier round: then the tables as they were after it. No query
    beyond ``facts``, one of a finished event.
    """
    earlier = earlier_standings(facts, ordinal) if ordinal else None
    # Tables place nobody before their stage is closed; brackets, whoever is out.
    placed = any(
        each.stage.state == Stage.State.CLOSED
        or (each.stage.state == Stage.State.OPEN and not each.kind.has_table)
        for each in facts.stages
    )
    final = final_standings(facts) if earlier is None and placed else None
    stages = (earlier,) if earlier else stage_standings(facts)
    stages = tuple(stage for stage in stages if stage.tables)
    finished = facts.event.state == Event.State.FINISHED
    restored = restoration_of(facts.event) if finished else None
    return {
        "final": final if final and final["rows"] else None,
        "stages": stages,
        "beside": None if earlier else beside_standings(facts),
        "kept": () if earlier else kept_in_words(facts),
        "earlier": earlier is not None,
        "restored": restored and restored_words(facts.event, restored),
    }


def final_standings(facts: EventFacts) -> dict[str, Any]:
    """Return the final standings as far as they are known; no query beyond ``facts``.

    ``winner`` is None while the top is shared or open, ``look`` has the CSS classes of the podium,
    by whether its names are too long for columns. ``figures`` are those of a finished event.
    """
    return cached(facts, ("final", get_language()), lambda: _final_standings(facts))


def _final_standings(facts: EventFacts) -> dict[str, Any]:
    page, finished = ranking_page(facts), facts.event.state == Event.State.FINISHED
    first = [row for row in page.podium if row.rank == 1]
    stages = [each for each in facts.stages if each.stage.state == Stage.State.CLOSED]
    podium = page.podium[:4]
    words = (word for row in podium for word in re.split(r"[\s-]", row.entry.name))
    longest = max(map(len, words), default=0)
    return {
        "winner": first[0].entry if len(first) == 1 else None,
        "podium": podium,
        "look": " stacked small" if longest > 24 else " stacked" if longest > 10 else "",
        "stages": tuple(translate(each.plan.label) for each in stages),
        "rows": tuple(_road_rows(stages, page, facts)),
        "has_clubs": page.has_clubs,
        "still_in": page.still_in,
        "is_open": page.is_open,
        "figures": tuple(_event_figures(facts, stages)) if finished else (),
    }


def _road_rows(
    stages: list[StageFacts], page: RankingPage, facts: EventFacts
) -> Iterator[RankingRow]:
    roads = [_results_in_stage(stage, facts) for stage in stages]
    tallies = records(facts)
    for row in page.rows:
        player = row.entry.number
        own = [road.get(player, "") for road in roads]
        last = max((at for at, words in enumerate(own) if words), default=-1)
        cells = tuple(
            (words, _css_class(at, last, row.rank, bool(words))) for at, words in enumerate(own)
        )
        yield replace(row, cells=cells, record=shown_record(tallies[player]))


def _css_class(at: int, last: int, rank: int, played: bool) -> str:
    if at == last:
        return "won" if rank == 1 else "ended"
    if not played:
        return "" if at > last else "skipped"
    return "on"


def _results_in_stage(stage: StageFacts, facts: EventFacts) -> Mapping[PlayerId, str]:
    """Return each player's result in a stage: rank in the group, or last round played."""
    if stage.kind.has_table:
        several = len(stage.plan.groups) > 1
        return {
            row.player: f"{rank} {name}" if several else rank
            for name, standings in stage.outcome.standings.items()
            for shared in (shared_ranks(standings),)
            for row in standings.rows
            for rank in (rank_ordinal(row.rank, shared=row.rank in shared),)
        }
    found: dict[PlayerId, str] = {}
    for item in stage.rounds:
        for match in stage.matches_of(item):
            words = round_of_match(stage, item, match)
            scores = scores_of(match.decision) if match.decision and match.size == 2 else None
            for turned, key in enumerate(match.seats):
                figures = "–".join(reversed(scores) if turned else scores) if scores else ""
                found[facts.numbers[key]] = f"{words} {figures}".strip()
    return found


def _counted_matches(stages: list[StageFacts]) -> Iterator[MatchRow]:
    for stage in stages:
        for match in stage.matches:
            decision = (
                match.decision if match.state == Match.State.FINAL and match.size > 1 else None
            )
            if decision and decision.ended_by not in NOT_COUNTED and decision.winner != Winner.VOID:
                yield match


def _is_drawn(match: MatchRow) -> bool:
    """Return whether several share the first place of a match that counts."""
    decision = match.decision
    if decision is None or match.size == 2:
        return decision is not None and decision.winner == Winner.DRAW
    return (decision.places or []).count(1) > 1


def _event_figures(facts: EventFacts, stages: list[StageFacts]) -> Iterator[Figure]:
    """Yield up to five figures of the event, those on scores only if they tell something."""
    matches = list(_counted_matches(stages))
    decisions = [match.decision for match in matches if match.decision]
    plan = facts.plan
    yield Figure(value=str(plan.players if plan else len(facts.entries)), words=_("players"))
    yield Figure(value=str(len(matches)), words=_("matches"))
    yield Figure(value=str(len(facts.rounds)), words=_("rounds"))
    scores = [score for decision in decisions if (score := score_of(decision))]
    drawn = sum(map(_is_drawn, matches))
    if decisions:
        yield Figure(value=f"{round(100 * drawn / len(decisions))}\u00a0%", words=_("draws"))
    if scores and play_of(facts.event).score in OF_POINTS:
        widest = max(scores, key=lambda score: abs(score[0] - score[1]))
        yield Figure(value=f"{max(widest)}–{min(widest)}", words=_("the widest win"))
    elif decisions:
        each = Fraction(sum(match.size for match in matches), max(1, plan.players if plan else 1))
        yield Figure(value=number_format(float(each), 1), words=_("matches for each player"))
