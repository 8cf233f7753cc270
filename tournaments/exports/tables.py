"""Sheets of the event's settings, players, decklists, all results in the order of play, standings,
cross tables and the final ranking."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from fractions import Fraction
from functools import cache

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from config.wording import format_moment, translate
from decks.decklists.selectors import stored_deck
from decks.labels import format_label, zone_label
from decks.stored_formats import base_format
from rules.criteria.of_tables import find_criterion
from rules.deckbuilding.formats import DeckFormat
from rules.deckbuilding.render import sort_deck
from rules.formulas.describe import describe_plan
from rules.numbers import format_points
from rules.results import SEAT_WINNERS, MatchEnding, OutcomeEffect, Result, Winner
from rules.standings.table import Standing, Standings
from rules.ties.decisions import tiebreaker_by_key
from rules.ties.explanations import explain_rank
from tournaments.core.event_state import StageFacts
from tournaments.core.extra_matches import is_cross_group_match
from tournaments.core.formulas import formula_by_slug, is_multiplayer, result_points
from tournaments.core.kept_places import standings_across_groups
from tournaments.core.labels import (
    bye_label,
    ending_label,
    match_group_label,
    match_round_label,
    tie_break_label,
)
from tournaments.core.mapping import event_table_points, outcome_from_report
from tournaments.core.rows import DecidingReportRow, MatchRow, RoundRow
from tournaments.core.visibility import VisibleDecklists
from tournaments.decklists.selectors.rules import event_rules_without_cards
from tournaments.exports.loading import (
    ReportRow,
    WorkbookSource,
    stage_sheet_name,
    two_name_columns,
)
from tournaments.exports.sheets import NUMBER, SHARE, TIME, WHOLE, Column, SheetTable, Value
from tournaments.matches.words import describe_table_points, intentional_draw_text
from tournaments.models import DeckSubmission, Entry, Event, Match, Report
from tournaments.models.entry import status_label
from tournaments.players.selectors.answers import describe_answers, event_questions
from tournaments.standings.selectors.ranking import ranking_page, records_by_player


def _points_cell(points: Fraction) -> Value:
    return int(points) if points.denominator == 1 else format_points(points)


def _points(event: Event) -> Iterator[tuple[str, Value]]:
    """Yield what a match is worth as rows of name and value."""
    if is_multiplayer(event.formula):
        points = event_table_points(event)
        yield _("Points"), describe_table_points(points)
        yield _("Points"), _("Points for a bye: %(bye)s.") % {"bye": points.bye}
        return
    win, draw, loss = map(_points_cell, result_points(event))
    for result, worth in ((_("Win"), win), (_("Drawn match"), draw), (_("Loss"), loss)):
        yield ": ".join((_("Points"), result)), worth


def event_table(source: WorkbookSource) -> SheetTable:
    """Return a table of the event's settings: name and value."""
    event = source.event
    deck_rules = event_rules_without_cards(event)
    rows: list[tuple[str, Value]] = [
        (_("Name"), event.name),
        (_("Date and time"), event.starts_at),
        (_("Time zone"), event.time_zone),
        (_("Venue"), event.venue),
        (_("State"), str(event.get_state_display())),
        (_("Format"), format_label(deck_rules.format)),
        (_("Tournament format"), translate(formula_by_slug(event.formula).label)),
        (_("Players"), len(source.facts.entries)),
        *_points(event),
        (_("Minutes per round"), event.minutes),
    ]
    if event.fee:
        rows.append((_("Fee"), event.fee))
    rows += [(_("Tiebreakers"), text) for text in _criteria(event)]
    if source.facts.plan is not None:
        rows += [(_("Stages"), translate(line)) for line in describe_plan(source.facts.plan)]
    rows += [(_("Deck rules"), translate(rule)) for rule in deck_rules.format.describe()]
    if deck_rules.lists_dated is not None:
        dated = format_moment(deck_rules.lists_dated, "day")
        rows.append((_("Card lists"), dated))
    if event.rulings:
        rows.append((_("Rulings"), event.rulings))
    rows += [
        (_("Generated at"), timezone.now()),
        (_("Version"), event.version),
        (_("Fingerprint of the log"), event.head),
    ]
    columns = (
        Column(key="what", label=_("What")),
        Column(key="value", label=_("Value"), kind=TIME),
    )
    return SheetTable(key="event", title=_("Event"), columns=columns, rows=rows)


def _criteria(event: Event) -> list[str]:
    at_tables = is_multiplayer(event.formula)
    used = [find_criterion(key, at_tables=at_tables) for key in event.criteria]
    return [
        f"{position}. {translate(criterion.label)}: {translate(criterion.explains)}"
        for position, criterion in enumerate(used, start=1)
    ]


def players_table(source: WorkbookSource) -> SheetTable:
    """Return a table of all entries by number, dropped players included."""
    columns = [
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Name")),
        Column(key="club", label=_("Club")),
        Column(key="seed", label=_("Seed position"), kind=WHOLE),
        Column(key="status", label=_("Status")),
    ]
    lists = source.staff and source.event.decklists != Event.Decklists.OFF
    fees = source.staff and source.event.takes_fee
    if lists:
        columns.append(Column(key="decklist", label=_("Decklist")))
    if fees:
        columns.append(Column(key="fee", label=_("Fee")))
    questions = event_questions(source.event) if source.staff else ()
    columns += [Column(key=f"answer_{one.key}", label=one.text) for one in questions]
    status = cache(status_label)
    states = {legal: decklist_state(legal) for legal in (None, True, False)}
    paid = {True: _("paid"), False: _("to pay")}
    rows = [
        (
            entry.number,
            entry.name,
            entry.club,
            entry.seed,
            status(entry.status, entry.departure),
            *((states[source.submitted[entry.number].legal],) if lists else ()),
            *((paid[entry.fee_paid],) if fees else ()),
            *(
                row["answer"]
                for row in describe_answers(questions, source.submitted[entry.number].answers)
            ),
        )
        for _number, entry in sorted(source.facts.entries.items())
    ]
    return SheetTable(key="players", title=_("Players"), columns=columns, rows=rows, beside="name")


def decklist_state(legal: bool | None) -> str:
    """Return "legal", "illegal" or (for None) "missing", translated."""
    if legal is None:
        return _("missing")
    return _("legal") if legal else _("illegal")


def decklists_table(source: WorkbookSource, sight: VisibleDecklists) -> SheetTable:
    """Return a table of all cards of the decklists that the reader may see.

    ``sight`` says which.
    """
    columns = (
        Column(key="number", label=_("Number"), kind=WHOLE),
        Column(key="name", label=_("Player")),
        Column(key="zone", label=_("Section")),
        Column(key="count", label=_("Copies"), kind=WHOLE),
        Column(key="card", label=_("Card")),
        Column(key="kind", label=_("Kind")),
        Column(key="expansion", label=_("Expansion")),
        Column(key="state", label=_("Decklist")),
        Column(key="submitted_at", label=_("Submitted"), kind=TIME, printed=False),
        Column(key="fingerprint", label=_("Fingerprint"), printed=False),
    )
    rows: list[tuple[Value, ...]] = []
    shape = base_format(source.event.format_key)
    for entry in source.listed:
        if entry.submission is not None and sight.reads(entry):
            rows += _cards(entry, entry.submission, shape)
    return SheetTable(
        key="decklists", title=_("Decklists"), columns=columns, rows=rows, beside="name"
    )


def _cards(entry: Entry, submission: DeckSubmission, shape: DeckFormat) -> list[tuple[Value, ...]]:
    state = decklist_state(submission.decklist.legal)
    ending = (state, submission.submitted_at, submission.decklist.fingerprint)
    return [
        (
            entry.number,
            entry.name,
            zone_label(zone, shape),
            card.count,
            card.name,
            card.kind,
            card.expansion,
            *ending,
        )
        for zone, cards in sort_deck(stored_deck(submission.decklist)).zones.items()
        for card in cards
    ]


def results_table(source: WorkbookSource, *, reporters: bool = True) -> SheetTable:
    """Return a table of all matches; ``reporters``: with who reported them."""
    columns = [
        Column(key="stage", label=_("Stage")),
        Column(key="group", label=_("Group")),
        Column(key="round", label=_("Round"), kind=WHOLE),
        Column(key="round_name", label=_("Name of the round")),
        Column(key="table", label=_("Table"), kind=WHOLE),
        Column(key="a", label=" ".join((_("Number"), "1")), kind=WHOLE),
        Column(key="name_a", label=_("Player 1")),
        Column(key="b", label=" ".join((_("Number"), "2")), kind=WHOLE),
        Column(key="name_b", label=_("Player 2")),
        Column(key="winner", label=_("Winner")),
        Column(key="score_a", label=" ".join((_("Score"), "1")), kind=WHOLE),
        Column(key="score_b", label=" ".join((_("Score"), "2")), kind=WHOLE),
        Column(key="games_a", label=_("Games 1"), kind=WHOLE),
        Column(key="games_b", label=_("Games 2"), kind=WHOLE),
        Column(key="games_drawn", label=_("Drawn games"), kind=WHOLE),
        Column(key="ended_by", label=_("How it ended")),
        Column(key="state", label=_("State")),
    ]
    words = _Words()
    rows = [row for stage in source.begun for row in _of_stage(source, stage, words)]
    if reporters:
        columns += [
            Column(key="reported_by", label=_("Reported by"), printed=False),
            Column(key="confirmed_by", label=_("Confirmed by"), printed=False),
            Column(key="at", label=_("Entered at"), kind=TIME, printed=False),
        ]
        matches = (match for stage in source.begun for match in _by_table(stage))
        rows = [
            (*row, *_who_reported(source, match, words))
            for row, match in zip(rows, matches, strict=True)
        ]
    return SheetTable(key="results", title=_("Results"), columns=columns, rows=rows)


class _Words:
    """The words of the sheet in the reader's language; each is translated once, not once a row."""

    def __init__(self) -> None:
        # “Final” is the name of a stage as well, and another word in Italian.
        self.states = {each.value: str(each.label) for each in Match.State}
        self.states[Match.State.FINAL.value] = _("counts")
        self.winners = {
            Winner.DRAW.value: _("A draw"),
            Winner.NONE.value: _("nobody"),
            Winner.VOID.value: _("Void"),
        }
        self.endings = {each.value: ending_label(each) for each in MatchEnding}
        self.by_rule, self.staff = _("By rule"), _("the staff")


def _by_table(stage: StageFacts) -> list[MatchRow]:
    """Return the matches of a stage by round and table, those without a table last."""
    rounds = {item.pk: item.ordinal for item in stage.rounds}
    return sorted(
        stage.matches,
        key=lambda match: (rounds[match.round_id], match.table is None, match.table, match.number),
    )


def _of_stage(
    source: WorkbookSource, stage: StageFacts, words: _Words
) -> Iterator[tuple[Value, ...]]:
    """Yield the matches of a stage."""
    label = translate(stage.plan.label)
    groups = {group.pk: group.name for group in stage.groups}
    rounds = {item.pk: item for item in stage.rounds}
    round_name = _round_names(stage)
    for match in _by_table(stage):
        item = rounds[match.round_id]
        seated = [source.facts.entries_by_pk[key] for key in match.seats]
        name_a, name_b = two_name_columns([entry.name for entry in seated])
        numbers = [entry.number for entry in seated] if len(seated) < 3 else []
        a, b = (*numbers, None, None)[:2]
        across = item.is_extra and is_cross_group_match(stage, item, match)
        yield (
            label,
            "" if across else _group(stage, match, groups[match.group_id]),
            item.ordinal,
            round_name(item, match),
            match.table,
            a,
            name_a,
            b,
            name_b,
            *_result(match, [entry.name for entry in seated], words),
            words.states[match.state],
        )


def _round_names(stage: StageFacts) -> Callable[[RoundRow, MatchRow], str]:
    """Return the label of a match's round; found once for all where the matches share it."""
    shared = not (stage.kind.two_brackets or stage.plan.third_place)
    known: dict[int, str] = {}

    def of(round_: RoundRow, match: MatchRow) -> str:
        if round_.is_extra or not shared:
            return match_round_label(stage, round_, match)
        if round_.pk not in known:
            known[round_.pk] = match_round_label(stage, round_, match)
        return known[round_.pk]

    return of


def _group(stage: StageFacts, match: MatchRow, name: str) -> str:
    """Return the group of a match, or its bracket if there are two; empty for one group alone."""
    if stage.kind.two_brackets:
        return match_group_label(stage.plan, name, match.number)
    return name if len(stage.groups) > 1 else ""


def _result(match: MatchRow, names: Sequence[str], words: _Words) -> tuple[Value, ...]:
    """Return winner, scores, games and kind of end; blank without a result."""
    decision = match.decision
    if decision is None:
        return ("", None, None, None, None, None, "")
    alone = match.size == 1
    ended = bye_label(decision) if alone else intentional_draw_text(decision)
    # As on pages: what two players level ended is not told from what they agreed on.
    timed = decision.ended_by == MatchEnding.TIME and decision.winner == Winner.DRAW
    ended = ended or ("" if timed else words.endings[decision.ended_by])
    if decision.tie_break:
        ended = f"{ended}, {tie_break_label(decision.tie_break)}"
    return (
        _winner(match.size, decision, names, words),
        decision.score_a,
        decision.score_b,
        decision.games_a,
        decision.games_b,
        decision.games_drawn,
        ended,
    )


def _winner(size: int, decision: DecidingReportRow, names: Sequence[str], words: _Words) -> str:
    """Return who won, or that it was a draw, nobody, or void."""
    outcome = outcome_from_report(decision, size)
    if not outcome.counts:
        return words.winners[Winner.VOID]
    if outcome.effect is OutcomeEffect.HALF_BYE:
        return words.winners[Winner.DRAW]
    first = [name for name, place in zip(names, outcome.places, strict=True) if place == 1]
    return first[0] if len(first) == 1 else words.winners[Winner.DRAW if first else Winner.NONE]


def _who_reported(
    source: WorkbookSource, match: MatchRow, words: _Words
) -> tuple[str, str, datetime | None]:
    """Return the names of the first reporter and of the decider, and the moment."""
    decision = match.decision
    if decision is None:
        return "", "", None
    reports = source.reports.get(match.pk, ())
    players = [report for report in reports if report.kind == Report.Kind.REPORT]
    counts = next(report for report in reports if report.pk == decision.pk)
    reported_by = _author_of(source, players[0], words) if players else ""
    return reported_by, _author_of(source, counts, words), counts.at


def _author_of(source: WorkbookSource, report: ReportRow, words: _Words) -> str:
    """Return the author of a report; names of accounts for staff only."""
    if report.kind == Report.Kind.AUTOMATIC:
        return words.by_rule
    if report.by_entry_id is not None:
        return source.facts.entries_by_pk[report.by_entry_id].name
    if report.kind == Report.Kind.CONFIRMATION and report.by_id is None and not report.who:
        return words.by_rule
    if report.kind == Report.Kind.DECISION and not source.staff:
        return words.staff
    if report.by_id in source.by_user:
        return source.by_user[report.by_id]
    return report.who or "?" if source.staff else "?"


def standings_tables(source: WorkbookSource) -> Iterator[SheetTable]:
    """Yield a table of standings for each group, then of comparisons across groups."""
    for stage in source.begun:
        for group, standings in stage.outcome.standings.items():
            title = stage_sheet_name(_("Standings"), stage, group)
            key = f"standings.{stage.stage.number}.{group}"
            yield _standings(source, standings, key, title)
        for rank, standings in standings_across_groups(stage).items():
            title = stage_sheet_name(_("Standings"), stage, _("rank %(rank)s") % {"rank": rank})
            key = f"compared.{stage.stage.number}.{rank}"
            yield _standings(source, standings, key, title)


def _standings(source: WorkbookSource, standings: Standings, key: str, title: str) -> SheetTable:
    criteria = map(find_criterion, source.event.criteria)
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
    return SheetTable(key=key, title=title, columns=columns, rows=rows, beside="name")


def _criterion_and_reason(row: Standing, names: dict[int | str, str]) -> tuple[str, str]:
    sentence = explain_rank(row, names)
    placed_by = translate(tiebreaker_by_key(row.placed_by).label) if row.placed_by else ""
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


def cross_tables(source: WorkbookSource) -> Iterator[SheetTable]:
    """Yield a cross table of results for each round-robin group."""
    for stage in source.begun:
        if not stage.kind.all_meet:
            continue
        for group in stage.outcome.standings:
            yield _cross(source, stage, group)


def _cross(source: WorkbookSource, stage: StageFacts, group: str) -> SheetTable:
    players = [int(number) for number in stage.state.seats[group] if number is not None]
    met = results_by_pair(stage, group)
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
    title = stage_sheet_name(_("Cross table"), stage, group)
    key = f"cross.{stage.stage.number}.{group}"
    return SheetTable(key=key, title=title, columns=columns, rows=rows, beside="name")


def results_by_pair(stage: StageFacts, group: str) -> dict[tuple[int, int], list[str]]:
    """Return {(player, opponent): results as text} of a group, such as "W 40–22".

    Players are numbers; only played matches of two.
    """
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


def ranking_table(source: WorkbookSource) -> SheetTable:
    """Return a table of the event's final standings, with records over all stages."""
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
    status, record = cache(status_label), records_by_player(source.facts)
    for row in ranking_page(source.facts).rows:
        entry = row.entry
        shown = status(entry.status, entry.departure)
        rows.append((row.rank, entry.number, entry.name, shown, entry.club, *record[entry.number]))
    title = _("Final standings")
    return SheetTable(key="ranking", title=title, columns=columns, rows=rows, beside="name")
