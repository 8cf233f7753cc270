"""Sheets of standings, cross tables and the final ranking."""

from collections.abc import Iterator
from functools import cache

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.wording import translate
from rules.criteria.of_tables import criterion_of
from rules.results import SEAT_WINNERS, Result, Winner
from rules.standings.table import Standing, Standings
from rules.ties.decisions import why
from rules.ties.extra_matches import criterion_named
from tournaments.core.event_state import StageFacts
from tournaments.core.kept_places import compared_in
from tournaments.exports.loading import Source, sheet_name
from tournaments.exports.sheets import NUMBER, SHARE, WHOLE, Column, Table, Value
from tournaments.models.entry import status_words
from tournaments.standings.selectors.ranking import ranking_page, records


def standings_tables(source: Source) -> Iterator[Table]:
    """Yield the standings of each group, then of equal ranks compared across groups."""
    for stage in source.begun:
        for group, standings in stage.outcome.standings.items():
            title = sheet_name(_("Standings"), stage, group)
            key = f"standings.{stage.stage.number}.{group}"
            yield _standings(source, standings, key, title)
        for rank, standings in compared_in(stage).items():
            title = sheet_name(_("Standings"), stage, _("rank %(rank)s") % {"rank": rank})
            key = f"compared.{stage.stage.number}.{rank}"
            yield _standings(source, standings, key, title)


def _standings(source: Source, standings: Standings, key: str, title: str) -> Table:
    criteria = map(criterion_of, source.event.criteria)
    shown = [criterion for criterion in criteria if criterion.column is not None]
    columns = (
        Column(key="rank", label=_("Rank"), kind=WHOLE),
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="played", label=_("Played"), kind=WHOLE),
        Column(key="won", label=_("Won"), kind=WHOLE),
        Column(key="drawn", label=_("Drawn"), kind=WHOLE),
        Column(key="lost", label=_("Lost"), kind=WHOLE),
        *(
            Column(
                key=criterion.key,
                label=translate(criterion.label),
                kind=SHARE if criterion.percentage else NUMBER,
            )
            for criterion in shown
        ),
        Column(key="placed_by", label=_("Placed by")),
        Column(key="why", label=_("Why")),
    )
    names = {row.player: source.name(row.player) for row in standings.rows}
    explained: dict[int, tuple[str, str]] = {}
    for row in standings.rows:
        if id(row.proof) not in explained:  # all whom a criterion separated at once share it
            explained[id(row.proof)] = _criterion_and_reason(row, names)
    keys = [criterion.key for criterion in shown]
    rows = [_row(row, names, keys, explained[id(row.proof)]) for row in standings.rows]
    return Table(key=key, title=title, columns=columns, rows=rows, beside="name")


def _criterion_and_reason(row: Standing, names: dict[int | str, str]) -> tuple[str, str]:
    sentence = why(row, names)
    placed_by = translate(criterion_named(row.placed_by).label) if row.placed_by else ""
    return placed_by, translate(sentence) if sentence else ""


def _row(
    row: Standing, names: dict[int | str, str], shown: list[str], explained: tuple[str, str]
) -> tuple[Value, ...]:
    return (
        row.rank,
        int(row.player),
        names[row.player],
        row.played,
        row.won,
        row.drawn,
        row.lost,
        *(row.values.get(criterion) for criterion in shown),
        *explained,
    )


def cross_tables(source: Source) -> Iterator[Table]:
    """Yield a cross table for each group of a round robin."""
    for stage in source.begun:
        if not stage.kind.all_meet:
            continue
        for group in stage.outcome.standings:
            yield _cross(source, stage, group)


def _cross(source: Source, stage: StageFacts, group: str) -> Table:
    players = [int(number) for number in stage.state.seats[group] if number is not None]
    met = meetings(stage, group)
    columns = (
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        *(Column(key=f"against.{number}", label=source.name(number)) for number in players),
    )
    rows: list[tuple[Value, ...]] = [
        (
            number,
            source.name(number),
            *(
                "×" if other == number else " / ".join(met.get((number, other), []))
                for other in players
            ),
        )
        for number in players
    ]
    title = sheet_name(_("Cross table"), stage, group)
    key = f"cross.{stage.stage.number}.{group}"
    return Table(key=key, title=title, columns=columns, rows=rows, beside="name")


def meetings(stage: StageFacts, group: str) -> dict[tuple[int, int], list[str]]:
    """Return the results between each two players of a group as texts, the first one's view."""
    met: dict[tuple[int, int], list[str]] = {}
    for result in stage.state.results_of(group):
        if len(result.seats) == 2 and result.is_played:
            a, b = map(int, result.seats)
            met.setdefault((a, b), []).append(_figures(result, 0))
            met.setdefault((b, a), []).append(_figures(result, 1))
    return met


def _figures(result: Result, seat: int) -> str:
    """Return a result as seen from a seat, 0 or 1: a letter for win, draw or loss, the score."""
    if result.winner is Winner.VOID:
        return "–"
    letter = _letter(result, seat)
    score = result.score
    return letter if score is None else f"{letter} {score[seat]}–{score[1 - seat]}"


def _letter(result: Result, seat: int) -> str:
    if result.winner is Winner.DRAW:
        return pgettext("one letter", "D")
    won = result.winner is SEAT_WINNERS[seat]
    return pgettext("one letter", "W") if won else pgettext("one letter", "L")


def ranking_table(source: Source) -> Table:
    """Return the final ranking as far as it is known, with the record over all stages."""
    columns = (
        Column(key="rank", label=_("Rank"), kind=WHOLE),
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="status", label=_("Status")),
        Column(key="club", label=_("Club")),
        Column(key="won", label=_("Won"), kind=WHOLE),
        Column(key="drawn", label=_("Drawn"), kind=WHOLE),
        Column(key="lost", label=_("Lost"), kind=WHOLE),
    )
    rows: list[tuple[Value, ...]] = []
    status, record = cache(status_words), records(source.facts)
    for row in ranking_page(source.facts).rows:
        entry = row.entry
        shown = status(entry.status, entry.departure)
        rows.append((row.rank, entry.number, entry.name, shown, entry.club, *record[entry.number]))
    title = _("Final standings")
    return Table(key="ranking", title=title, columns=columns, rows=rows, beside="name")
