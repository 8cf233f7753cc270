"""Results as text: in figures, as sentences that name both players, or as one player reads them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from rules.matches.match_rules import Claim
from rules.numbers import points_as_text
from rules.people.person_names import join_names
from rules.results import EndedBy, Mark, Outcome, Result, Winner, pair_of
from rules.tables.results import UNITS, TablePoints
from tournaments.core.labels import (
    OF_WHOM,
    bye_label,
    ending_label,
    format_games,
    games_of_each,
    intentional_draw,
    is_agreed_draw,
    ordinal,
    outcome_label,
    tie_break_label,
)
from tournaments.core.mapping import games_of, is_of_table, outcome_of, report_of, score_of
from tournaments.core.rows import AnyEntry, AnyMatch, AnyReport
from tournaments.models import Report


def mark_word(mark: Mark) -> str:
    """Return what is noted of a seat, in a word."""
    return {Mark.ABSENT: _("absent"), Mark.CONCEDED: _("concedes")}.get(mark, _("disqualified"))


def points_in_words(points: TablePoints) -> str:
    """Return what a table is worth, as one or two sentences."""
    if points.by_place:
        words = _("Points by place: %(places)s.")
        return words % {"places": ", ".join(map(str, points.by_place))}
    words = _("Points at a table: win %(first)s, draw %(drawn)s, loss %(other)s.")
    return words % {"first": points.first, "drawn": points.drawn, "other": points.other}


def absent_words(names: Sequence[str]) -> str:
    """Return who is absent at a table at which the others play on, "absent: –" for nobody."""
    return f"{mark_word(Mark.ABSENT)}: {join_names(names) or NOBODY}"


NOBODY = "–"


def format_placings(report: AnyReport) -> str:
    """Return the places by seat, "2–1–2–2", "×" for one without; how a void one ended."""
    if report.places is None:
        return ending_label(EndedBy.VOID)
    return "–".join(str(place or "×") for place in report.places)


def table_with_names(outcome: Outcome, names: Sequence[str]) -> str:
    """Return a result with names in the order of seats: who won, or drew, or the order."""
    return ", ".join([_head(outcome, names), *_marked(outcome, names)])


def worth_in_words(outcome: Outcome, names: Sequence[str], points: TablePoints) -> str:
    """Return the points that a result gives, "Points: Dora 5 · Anna, Bruno 0"; "" for none."""
    if not outcome.counts:
        return ""
    table = Result(seats=tuple(names), outcome=outcome)
    by_points: dict[int, list[str]] = {}
    for name, made in zip(names, points.of(table), strict=True):
        by_points.setdefault(made, []).append(name)
    each = (
        f"{', '.join(by_points[made])} {points_as_text(Fraction(made, UNITS))}"
        for made in sorted(by_points, reverse=True)
    )
    return _("Points: %(each)s") % {"each": " · ".join(each)}


def _head(outcome: Outcome, names: Sequence[str]) -> str:
    if not outcome.counts:
        return _("Void")
    at = {place: _names_at(place, outcome, names) for place in outcome.places if place}
    first, others = at.get(1, []), [place for place in sorted(at) if place > 1]
    if not first:
        return _("Nobody wins")
    if len(others) > 1:
        order = [f"{ordinal(place)} {join_names(at[place])}" for place in sorted(at)]
        return ", ".join(order)
    if len(first) > 1:
        return f"{outcome_label(Winner.DRAW)}: {join_names(first)}"
    return _("%(name)s wins") % {"name": first[0]}


def _names_at(place: int, outcome: Outcome, names: Sequence[str]) -> list[str]:
    found = zip(names, outcome.places, strict=True)
    return [name for name, own in found if own == place]


def _marked(outcome: Outcome, names: Sequence[str]) -> Iterator[str]:
    for mark in (Mark.ABSENT, Mark.CONCEDED, Mark.DISQUALIFIED):
        seats = [seat for seat, own in outcome.marks if own is mark]
        if seats:
            yield f"{mark_word(mark)}: {join_names(names[seat - 1] for seat in seats)}"


def sentences_of_line() -> dict[str, str]:
    """Return how the desk's line says each kind of result, for its script.

    ``%(winner)s``, ``%(loser)s``, ``%(score)s`` and the table's values are left in.
    """
    both = "%(winner)s – %(loser)s"
    wins = _("%(name)s wins") % {"name": "%(winner)s"}
    return {
        "wins": f"{wins}: %(score)s",
        "draw": f"{outcome_label(Winner.DRAW)}: {both} %(score)s",
        "agreed": f"{capfirst(intentional_draw())}: {both}",
        "absent": str(OF_WHOM[EndedBy.NO_SHOW]),
        "concedes": str(OF_WHOM[EndedBy.CONCESSION]),
        "both": ": ".join((_("Both absent"), both)),
        "minutes": _("Table %(table)s: +%(minutes)s min."),
        "strange": ": ".join((_("Unusual result"), both)),
    }


SWAPPED = {Winner.A: Winner.B, Winner.B: Winner.A}
OTHER_GAME = {"a": "b", "b": "a"}
TO_THE_END = (EndedBy.PLAYED, EndedBy.TIME)


def side_of(entry: AnyEntry, match: AnyMatch) -> str:
    """Return "a" or "b": the entry's side of its match."""
    return "a" if match.seats[0] == entry.pk else "b"


def names_in_seats(names: Sequence[str]) -> tuple[str, ...]:
    """Return names in the order of seats, "" in place of an opponent of two who is not there."""
    return tuple(names) if len(names) > 2 else pair_of(names, "")


def first_and_others(names: Sequence[str]) -> tuple[str, str]:
    """Return the first name and all others as one text, "" without others."""
    return names[0], join_names([name for name in names[1:] if name])


def names_at(match: AnyMatch, by_key: Mapping[int, object]) -> tuple[str, ...]:
    """Return the names of the players of a match, as `names_in_seats`."""
    return names_in_seats([str(by_key[key]) for key in match.seats])


def claim_from_side(side: str, claim: Claim) -> Claim:
    """Return a claim seen from a side: swapped for "b", unchanged for "a"; its own inverse."""
    if side == "a":
        return claim
    return replace(
        claim,
        score=claim.score[::-1] if claim.score else None,
        games=tuple(OTHER_GAME.get(game, game) for game in claim.games) if claim.games else None,
        winner=SWAPPED.get(claim.winner, claim.winner) if claim.winner else None,
    )


def own_result(outcome: Outcome, side: str) -> str:
    """Return the result as this side reads it: "you won 2–1", "you lost, concession".

    What ended it is said as the opponent's where this side won: "you won, opponent: no-show".

    Of a level score with what decided it: "you won 33–33, by warriors".
    """
    own = Winner.A if side == "a" else Winner.B
    if outcome.winner is Winner.DRAW and is_agreed_draw(outcome.games_won):
        return intentional_draw()
    figures = score_for_side(outcome, side)
    words = {own: _("you won"), SWAPPED[own]: _("you lost"), Winner.DRAW: _("you drew")}
    words |= {Winner.NONE: _("Both lose"), Winner.VOID: _("does not count")}
    sentence = " ".join(part for part in (words[outcome.winner or own], figures) if part)
    decided = outcome.winner in SWAPPED and outcome.ended_by not in TO_THE_END
    ending = ending_label(outcome.ended_by) if decided else ""
    if ending and outcome.winner is own:
        ending = _("opponent: %(ending)s") % {"ending": ending}
    tie_break = tie_break_label(outcome.tie_break) if outcome.tie_break else ""
    return ", ".join(part for part in (sentence, ending, tie_break) if part)


def score_for_side(outcome: Outcome, side: str) -> str:
    """Return the score or the games won, this side's first; empty for a forfeit."""
    if outcome.score is None and outcome.games_won is None:
        return ""
    pair = outcome.score or games_of_each(outcome.games_won or (0, 0, 0))
    own, other = pair if side == "a" else pair[::-1]
    return f"{own}–{other}"


def result_sentence(outcome: Outcome, a: str, b: str) -> str:
    """Return the result with the winner's name, for example "Anna wins: 2–1"."""
    return with_names(report_of(outcome), a, b)


def game_winners(outcome: Outcome, *names: str) -> str:
    """Return the winner of each game in order; empty if the games were not reported one by one."""
    a, b = names
    words = {"a": a, "b": b, "draw": _("draw")}
    shown = outcome.games if len(outcome.games) > 1 else ()
    return " · ".join(f"{number}. {words[game]}" for number, game in enumerate(shown, start=1))


def is_by_rule(report: Report) -> bool:
    """Return whether nobody made a report, whose people must be loaded.

    A result also confirms itself by rule: unanswered for long enough, or once those who stay at a
    table are enough.
    """
    if report.kind == Report.Kind.CONFIRMATION:
        return report.by_entry_id is None and not report.who
    return report.kind == Report.Kind.AUTOMATIC


def reporter_name(report: Report) -> str:
    """Return the name of who made a report, whose people must be loaded."""
    return _("by rule") if is_by_rule(report) else report.who or str(report.by_entry or "?")


def seats_won(decision: AnyReport | None, size: int) -> tuple[bool, ...]:
    """Return for each seat of a match whether its player won it, alone."""
    outcome = outcome_of(decision, size) if decision is not None else None
    if outcome is None or outcome.is_draw or not outcome.counts:
        return (False,) * size
    return tuple(place == 1 for place in outcome.places)


def result_text(report: AnyReport) -> str:
    """Return a result from a's side, for example "40–22", "2–1" or "no-show, 0–1".

    Of a multiplayer table: the places by seat, "2–1–2–2".
    """
    if is_of_table(report):
        return format_placings(report)
    return _join_parts(report, _score_as_text(report), _ending(report))


def with_names(report: AnyReport, *names: str) -> str:
    """Return a result with the winner's name, the winner's figures first.

    ``names`` are those of the seats in their order. A player who did not come, conceded or was
    disqualified is named too.
    """
    if is_of_table(report):
        return table_with_names(outcome_of(report, len(names)), names)
    a, b = names
    if report.ended_by == EndedBy.BYE:
        return ": ".join((a, _("bye")))
    if not b:
        return f"{a}: {bye_label(report)}"
    pair = {Winner.A: (a, b), Winner.B: (b, a)}.get(Winner(report.winner))
    if pair is None:
        if agreed := agreed_draw(report):
            return capfirst(agreed)
        figures = "" if report.ended_by == EndedBy.DOUBLE_LOSS else result_text(report)
        return ": ".join(filter(None, (outcome_label(report.winner), figures)))
    winner, loser = pair
    ending = OF_WHOM.get(EndedBy(report.ended_by))
    figures = _join_parts(
        report,
        _score_as_text(report, turned=report.winner == Winner.B),
        str(ending) % {"loser": loser} if ending else _ending(report),
    )
    wins = _("%(name)s wins") % {"name": winner}
    return f"{wins}: {figures}" if figures else wins


def ended_by_whom(report: AnyReport, *names: str) -> str:
    """Return a short result from a's side, naming who did not come, conceded or left."""
    if is_of_table(report):
        return table_with_names(outcome_of(report, len(names)), names)
    a, b = names
    if not b:
        return bye_label(report)
    ending = OF_WHOM.get(EndedBy(report.ended_by))
    losers = {Winner.A: b, Winner.B: a}
    if ending is None or Winner(report.winner) not in losers:
        return result_text(report)
    words = str(ending) % {"loser": losers[Winner(report.winner)]}
    return _join_parts(report, _score_as_text(report), words)


def _join_parts(report: AnyReport, figures: str, ending: str) -> str:
    tie_break = tie_break_label(report.tie_break) if report.tie_break else ""
    return ", ".join(part for part in (figures, ending, tie_break) if part)


def agreed_draw(report: AnyReport) -> str:
    """Return the label of an intentional draw, "" for other results."""
    agreed = report.winner == Winner.DRAW and is_agreed_draw(games_of(report))
    return intentional_draw() if agreed else ""


def _ending(report: AnyReport) -> str:
    if report.ended_by in (EndedBy.PLAYED, EndedBy.BYE):
        return ""
    if report.ended_by == EndedBy.TIME and report.winner == Winner.DRAW:
        return ""  # as in sentences: a draw ends no match before its time
    return ending_label(report.ended_by)


def score_with_names(report: AnyReport, *names: str) -> str:
    """Return for example "Anna 40–22 Bruno", or who won if there is no score."""
    if is_of_table(report):
        return table_with_names(outcome_of(report, len(names)), names)
    a, b = names
    figures = _score_as_text(report)
    if figures and not (report.tie_break or agreed_draw(report)) and _leader_won(report):
        return f"{a} {figures} {b}"
    return f"{join_names((a, b))}: {with_names(report, a, b)}"


def _leader_won(report: AnyReport) -> bool:
    score = score_of(report) or (games_of(report) or (0, 0, 0))[:2]
    leader = Winner.DRAW if score[0] == score[1] else Winner.A if score[0] > score[1] else Winner.B
    return leader == report.winner


def _score_as_text(report: AnyReport, *, turned: bool = False) -> str:
    """Return games or score from a's side, from b's if ``turned``; empty if there are none."""
    games, score = games_of(report), score_of(report) or ()
    if games is not None:
        a, b, drawn = games
        return format_games((b, a, drawn) if turned else games)
    return "–".join(map(str, score[::-1] if turned else score))


COUNTED = (Report.Kind.CONFIRMATION, Report.Kind.DECISION, Report.Kind.AUTOMATIC)
"""The kinds of reports of which each was the result that counts."""


def may_have_earlier(match: AnyMatch, version: int) -> bool:
    """Return whether those who play a match had a report before that of a version; no query."""
    return version > match.version_before + 1


def result_before(match: AnyMatch, version: int, reports: Iterable[Report]) -> Report | None:
    """Return what had been told of a match when its report of a version was stored.

    That is the result that counted (its kind is one of `COUNTED`), or one that was reported and not
    denied; of players who sat there before a correction it is nothing. None if nothing was told.
    ``reports`` are those of the match, oldest first.
    """
    own = [each for each in reports if match.version_before < each.version < version]
    last = own[-1] if own else None
    if last is None or last.kind in COUNTED:
        return last
    told = [each for each in own if each.kind == Report.Kind.REPORT]
    disputed = len({each.by_entry_id or each.by_id for each in told}) > 1
    return None if disputed or is_of_table(last) else last


def scores_of(decision: AnyReport) -> tuple[str, ...]:
    """Return the score of both players in points or games, ½ for a draw of one game.

    Empty without a score, as after a concession. At a multiplayer table: the places, "–" for
    whoever has none.
    """
    if is_of_table(decision):
        return tuple(str(place or "–") for place in decision.places or ())
    score, games = score_of(decision), games_of(decision)
    if games == (0, 0, 1) or (games is not None and score is None):
        return games_of_each(games)
    return tuple(map(str, score or ()))
