"""What the sheet of the result tells: event, podium, a row of figures a player, where each left."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from django.utils.translation import gettext as _
from django.utils.translation import ngettext, pgettext

from config.wording import format_moment, translate
from decks.formats.selectors import format_labels
from rules.brackets import BracketMatch, BracketPart
from rules.criteria import CRITERIA
from rules.criteria.base import Criterion
from rules.criteria.of_tables import TABLE_CRITERIA, find_criterion
from rules.events.lifecycle import AT_THE_TABLE, Departure
from rules.results import MatchEnding, PlayerId
from rules.results import Result as MatchResult
from rules.scenarios.final_places import FinalPlaces
from rules.stages.base import bracket_matches, has_multiplayer_tables
from rules.stages.knockout import match_loser, match_winner
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.kept_places import reassignment_texts
from tournaments.core.labels import (
    format_rank,
    format_record,
    group_label,
    match_round_label,
    ordinal,
    rank_ordinal,
    round_label,
    shared_ranks,
)
from tournaments.diagrams.selectors.drawn_slots import short_player_names
from tournaments.models import Entry, Stage
from tournaments.standings.selectors.ranking import (
    begun_ranked_stages,
    counted_stages_text,
    order_players,
    ranking_figures,
    ranking_page,
    records_by_player,
    seated_players,
)
from tournaments.standings.selectors.rows import LEAVERS

PLAYED = AT_THE_TABLE | {MatchEnding.BYE}
"""Ends of a match at which its players were there."""


def exit_labels(facts: EventFacts) -> dict[PlayerId, str]:
    """Return {player: stage or round of elimination}, "" for players still in.

    The winner has the final; players who dropped have how they left.
    """
    found: dict[PlayerId, str] = {}
    begun = [stage for stage in facts.stages if stage.stage.state != Stage.State.PENDING]
    names = short_player_names(facts.entries.values())
    for stage in begun:
        found |= dict.fromkeys(stage.state.players, "")
        if stage.kind.own_order(stage.state) is not None:
            found |= dict(_from_cut(stage))
        elif stage.kind.has_table:
            found |= dict(_from_tables(facts, stage, begun))
        else:
            found |= dict(_from_bracket(stage, names))
    gone = {player: _gone(facts, player) for player, words in found.items() if not words}
    return found | gone


def _gone(facts: EventFacts, player: PlayerId) -> str:
    """Return how somebody left who went out in no match and no table, "" of others."""
    entry = facts.entries[player]
    if entry.departure == Departure.NO_SHOW:
        return _("No-show")
    return (
        lowercase_first_letter(str(entry.get_status_display())) if entry.status in LEAVERS else ""
    )


def lowercase_first_letter(label: str) -> str:
    """Return a label with a small first letter, for use inside a sentence.

    Labels that begin with "Swiss" or two capitals are unchanged.
    """
    named = label[1:2].isupper() or label.startswith("Swiss")
    return label if named else label[:1].lower() + label[1:]


def _from_tables(
    facts: EventFacts, stage: StageFacts, begun: Iterable[StageFacts]
) -> Iterator[tuple[PlayerId, str]]:
    """Yield who left while the stage was played, and once it is closed where the others stood."""
    alike = Counter(group.name for each in begun for group in each.groups)
    last = facts.plan is not None and stage.stage.number == len(facts.plan.stages)
    out = {player for level in facts.ranking for player in level}
    for group, standings in stage.outcome.standings.items():
        label = lowercase_first_letter(group_label(stage.plan, group))
        if len(stage.plan.groups) > 1 and alike[group] > 1:
            label = f"{lowercase_first_letter(translate(stage.plan.label))}, {label}"
        shared = shared_ranks(standings)
        for row in standings.rows:
            rank = rank_ordinal(row.rank, shared=row.rank in shared)
            entry = facts.entries[row.player]
            if entry.departure == Departure.NO_SHOW:
                yield row.player, _("No-show")
            elif entry.status in LEAVERS:
                yield row.player, _leaving(stage, row.player, entry.status)
            elif stage.stage.state == Stage.State.CLOSED and not last and row.player in out:
                alone = stage.kind.pairs_by_points and len(stage.plan.groups) == 1
                yield row.player, label if alone else f"{label}, {rank}"


def _leaving(stage: StageFacts, player: PlayerId, status: str) -> str:
    out = status == Entry.Status.DISQUALIFIED
    if out and (during := _round_of_disqualification(stage, player)):
        return _in_round(_("Disqualified"), during)
    played, conceded = _last_rounds(stage, player)
    if not out and conceded > played:
        return _in_round(_("Dropped"), conceded)
    words = _("Disqualified") if out else _("Dropped")
    return _in_round(words, played) if played else words


def _in_round(words: str, ordinal: int) -> str:
    """Return how somebody left, and the round: the last one played to its end, or conceded."""
    return " · ".join((words, _("Round %(number)s") % {"number": ordinal}))


def _last_rounds(stage: StageFacts, player: PlayerId) -> tuple[int, int]:
    """Return the last round that a player played to its end and the last conceded, 0 for none."""
    played = conceded = 0
    for item, made in zip(stage.regular_rounds, stage.state.rounds, strict=True):
        for _pairing, result in made:
            if player not in result.seats or not result.is_played:
                continue
            won = match_winner(result) == player
            if result.ended_by in PLAYED or (result.ended_by is MatchEnding.CONCESSION and won):
                played = item.ordinal
            elif result.ended_by is MatchEnding.CONCESSION:
                conceded = item.ordinal
    return played, conceded


def _round_of_disqualification(stage: StageFacts, player: PlayerId) -> int | None:
    """Return the round in which a player's match ended by disqualification, None if none did."""
    for item, made in zip(stage.regular_rounds, stage.state.rounds, strict=True):
        for _pairing, result in made:
            lost = player in result.seats and player != match_winner(result)
            if lost and result.ended_by is MatchEnding.DISQUALIFICATION:
                return item.ordinal
    return None


def _from_cut(stage: StageFacts) -> Iterator[tuple[PlayerId, str]]:
    """Yield the step of a cut by tables in which each went out, and who won the final."""
    steps = [
        (item, {player for pairing, _result in made for player in pairing.seats})
        for item, made in zip(stage.regular_rounds, stage.state.rounds, strict=True)
    ]
    for (item, players), (_following, going_on) in pairwise(steps):
        yield from dict.fromkeys(
            players - going_on, lowercase_first_letter(round_label(stage, item))
        ).items()
    if stage.rounds_done and not stage.missing:
        _item, players = steps[-1]
        first, *_others = stage.kind.own_order(stage.state) or (None,)
        for player in players:
            yield player, _match_and_score(1, "", won=player == first)


def _from_bracket(stage: StageFacts, names: dict[PlayerId, str]) -> Iterator[tuple[PlayerId, str]]:
    shape = {match.number: match for match in bracket_matches(stage.plan)}
    for item, made in zip(stage.regular_rounds, stage.state.rounds, strict=True):
        rows = {match.number: match for match in stage.matches_of(item)}
        for pairing, result in made:
            winner, loser = match_winner(result), match_loser(result)
            match = shape[pairing.number]
            if len(result.seats) == 1 or loser is None or winner is None:
                continue
            if first := _first_place(stage, match):
                yield winner, _match_and_score(first, _figures(result, winner), won=True)
                yield loser, _match_and_score(first, _figures(result, loser), won=False)
                continue
            where = match_round_label(stage, item, rows[pairing.number])
            told = [where, _figures(result, loser), names[winner]]
            if result.ended_by is MatchEnding.DISQUALIFICATION:
                told = [where, _("Disqualified")]
            yield loser, " · ".join(filter(None, told))
            if match.part is None:
                yield winner, ""


def _first_place(stage: StageFacts, match: BracketMatch) -> int:
    """Return the better of the two places that a match decides on, 0 where it decides on none."""
    if match.third_place:
        return stage.plan.ranks_from + 2
    last = match.distance == 0 and stage.plan.survivors == 1
    decides = match.part in (BracketPart.FINAL, BracketPart.AGAIN) if match.part else last
    return stage.plan.ranks_from if decides else 0


def _match_and_score(first: int, score: str, *, won: bool) -> str:
    place = ordinal(first if won else first + 1)
    label = _("Final") if first == 1 else ""
    return " · ".join(filter(None, (label, place, score)))


def _figures(result: MatchResult, player: PlayerId) -> str:
    """Return the games or the score of a match, the player's own first; "" without."""
    pair = (result.games_won or result.score or ())[:2]
    return "–".join(map(str, pair if result.seats[0] == player else pair[::-1]))


PLACE, NAME, TEXT, RECORD, NUMBER, SHARE, MAIN = (
    *("place", "name", "text", "record", "number", "share", "main"),
)
WON, ON = "won", "on"


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnHeader:
    """A column header of the result sheet.

    ``kind``: number format or style of the cells.
    """

    key: str
    label: str
    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultLine:
    """A player's row of the result sheet.

    ``look``: WON, ON (reached the last stage) or "". ``shared``: keys of columns whose rank is
    shared. ``cut``: draw the line of the top cut below this row.
    """

    values: tuple[int | str | Fraction | None, ...]
    look: str
    shared: frozenset[str]
    cut: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PodiumPlayer:
    """A player on the podium of the result sheet.

    ``shared``: others have the same rank.
    """

    rank: int
    shared: bool
    name: str
    club: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSheet:
    """The content of the result sheet.

    ``heads`` and ``lines``: columns and players in order. ``when_where``, ``game`` and ``formula``
    are lines of the heading; ``legend`` are footnotes, such as players seated against the
    standings.
    """

    title: str
    when_where: str
    game: str
    formula: str
    podium: tuple[PodiumPlayer, ...]
    heads: tuple[ColumnHeader, ...]
    lines: tuple[ResultLine, ...]
    legend: str


def result_sheet(facts: EventFacts) -> ResultSheet:
    """Return the content of the result sheet, final or so far; at most two queries."""
    event = facts.event
    when = format_moment(event.starts_at.astimezone(event.zone), "date")
    playing = facts.plan.players if facts.plan else len(facts.entries)
    players = ngettext("%(number)s player", "%(number)s players", playing) % {"number": playing}
    ranking = ranking_page(facts)
    heads, lines = _table(facts, over=not ranking.still_in)
    return ResultSheet(
        title=event.name,
        when_where=" · ".join(filter(None, (when, event.venue))),
        game=" · ".join((format_labels([event.format])[event.format], players)),
        formula=", ".join(_stages(facts)),
        podium=tuple(
            PodiumPlayer(
                rank=row.rank,
                shared=row.shared,
                name=row.entry.display_name,
                club=row.entry.club,
            )
            for row in ranking.podium[:4]
        ),
        heads=heads,
        lines=lines,
        legend=" ".join(filter(None, (*reassignment_texts(facts), _legend(facts, heads)))),
    )


def _stages(facts: EventFacts) -> Iterator[str]:
    for stage in facts.stages:
        label = translate(stage.plan.label)
        yield lowercase_first_letter(label)
        if stage.kind.pairs_by_points:
            rounds = stage.total_rounds
            yield ngettext("%(rounds)s round", "%(rounds)s rounds", rounds) % {"rounds": rounds}


def _table(
    facts: EventFacts, *, over: bool
) -> tuple[tuple[ColumnHeader, ...], tuple[ResultLine, ...]]:
    found, shown = ranking_figures(facts)
    made = records_by_player(facts) if _counts_whole_event(facts) else {}
    out = exit_labels(facts)
    order = order_players(facts, found)
    heads = [
        ColumnHeader(key="rank", label=pgettext("short", "Rank"), kind=PLACE),
        ColumnHeader(key="name", label=_("Player"), kind=NAME),
        ColumnHeader(key="club", label=_("Club"), kind=TEXT),
        ColumnHeader(key="record", label=_("W–L–D"), kind=RECORD),
        *(
            ColumnHeader(key=one.key, label=translate(one.short), kind=_kind(one, first=at == 0))
            for at, one in enumerate(shown)
        ),
        ColumnHeader(key="before", label=_before(facts), kind=NUMBER),
        ColumnHeader(key="out", label=pgettext("of a tournament", "Out"), kind=TEXT),
    ]
    last = _last_players(facts)
    rows = []
    for place, entry in order:
        own = found.get(entry.number)
        before = own.rank if own and heads[-2].label else None
        values = (
            _rank_cell(place),
            entry.display_name,
            entry.club,
            format_record(made.get(entry.number, own.record)) if own else "",
            *(own.values.get(one.key) if own else None for one in shown),
            _rank_cell(before),
            out.get(entry.number, ""),
        )
        won = place is not None and place.first == 1 and own is not None and len(order) > 1 and over
        ranks = {"rank": place, "before": before}
        shared = frozenset(key for key, one in ranks.items() if one and one.shared)
        rows.append((values, WON if won else ON if entry.number in last else "", shared))
    looks = [bool(look) for _values, look, _shared in rows]
    clean = any(looks) and not all(looks) and looks == sorted(looks, reverse=True)
    cut = sum(looks) - 1 if clean and last else -1
    lines = [
        ResultLine(values=v, look=look, shared=shared, cut=at == cut)
        for at, (v, look, shared) in enumerate(rows)
    ]
    return _without_empty(heads, lines)


def _counts_whole_event(facts: EventFacts) -> bool:
    """Return whether records are those of the whole event, as on the page of final standings."""
    return sum(one.stage.state != Stage.State.PENDING for one in facts.stages) > 1


def _rank_cell(places: FinalPlaces | None) -> int | str | None:
    """Return a rank as a number, to sort by; in words while it is open."""
    if places is None or places.one:
        return places and places.first
    return format_rank(places.first, places.last)


def _without_empty(
    heads: Sequence[ColumnHeader], lines: Sequence[ResultLine]
) -> tuple[tuple[ColumnHeader, ...], tuple[ResultLine, ...]]:
    """Leave out columns that are empty for all, but for those of places and names."""
    kept = [
        at
        for at, head in enumerate(heads)
        if head.key in ("rank", "name") or any(line.values[at] not in ("", None) for line in lines)
    ]
    return tuple(heads[at] for at in kept), tuple(
        replace(line, values=tuple(line.values[at] for at in kept)) for line in lines
    )


def _kind(criterion: Criterion, *, first: bool) -> str:
    if criterion.percentage:
        return SHARE
    return MAIN if first else NUMBER


def _before(facts: EventFacts) -> str:
    """Return the head of the column with the ranks in the only table; "" if it says nothing."""
    stages = begun_ranked_stages(facts)
    more = facts.plan is not None and len(facts.plan.stages) > 1
    if len(stages) != 1 or not more or len(stages[0].plan.groups) > 1:
        return ""
    if not facts.ranking:
        return ""  # then the first column has them
    if has_multiplayer_tables(stages[0].plan):
        return _("Tables")
    return pgettext("short", "Swiss") if stages[0].kind.pairs_by_points else _("Group")


def _last_players(facts: EventFacts) -> frozenset[PlayerId]:
    """Return the players of the last stage of three or more; none if it was the first."""
    for stage in reversed(facts.stages):
        if len(players := seated_players(stage)) > 2:
            return frozenset(players if stage.stage.number > 1 else ())
    return frozenset()


def _legend(facts: EventFacts, heads: Sequence[ColumnHeader]) -> str:
    if not begun_ranked_stages(facts):
        return ""
    whole = _counts_whole_event(facts)
    kinds = (*(() if whole else (RECORD,)), NUMBER, SHARE, MAIN)
    figures = [_with_full_name(head) for head in heads if head.kind in kinds]
    own = [words for words in figures if words and words != _before(facts)]
    if len(facts.stages) == 1:
        return f"{', '.join(own)}."
    found = counted_stages_text(facts, ", ".join(own)) if own else ""
    if whole:
        record = next(_with_full_name(head) for head in heads if head.kind == RECORD)
        over = _("%(column)s: whole event.") % {"column": record}
        found = f"{over} {found}".strip()
    if before := _before(facts):
        more = _("%(column)s: rank after this stage.") % {"column": before}
        found = f"{found} {more}"
    return found


def _with_full_name(head: ColumnHeader) -> str:
    """Return a column with its full name in brackets."""
    if head.key == "record":
        won = lowercase_first_letter(_("Wins – losses – draws"))
        return f"{head.label} ({won})"
    if head.key not in CRITERIA and head.key not in TABLE_CRITERIA:
        return head.label
    full = translate(find_criterion(head.key).label)
    return head.label if full == head.label else f"{head.label} ({lowercase_first_letter(full)})"
