"""Results as text: in figures, as sentences that name both players, or as one player reads them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from rules.matches.match_rules import Claim
from rules.numbers import format_points
from rules.people.person_names import join_names
from rules.results import MatchEnding, Outcome, Result, SeatMark, Winner, two_seats
from rules.tables.results import UNITS, TablePoints
from tournaments.core.labels import (
    OF_WHOM,
    bye_label,
    ending_label,
    format_games,
    games_per_player,
    intentional_draw_label,
    is_intentional_draw,
    ordinal,
    outcome_label,
    tie_break_label,
)
from tournaments.core.mapping import (
    is_multiplayer_report,
    outcome_from_report,
    report_from_outcome,
    report_games,
    report_score,
)
from tournaments.core.rows import AnyEntry, AnyMatch, AnyReport
from tournaments.models import Report


def seat_mark_label(mark: SeatMark) -> str:
    """Return the label of a player's mark at a seat: absent, concedes or disqualified."""
    marks = {SeatMark.ABSENT: pgettext("of a player", "absent"), SeatMark.CONCEDED: _("concedes")}
    return marks.get(mark, pgettext("of a player", "disqualified"))


def describe_table_points(points: TablePoints) -> str:
    """Return a sentence on the points that a multiplayer table gives."""
    if points.by_place:
        words = _("Points by place: %(places)s.")
        return words % {"places": ", ".join(map(str, points.by_place))}
    words = _("Points at a table: win %(first)s, draw %(drawn)s, loss %(other)s.")
    return words % {"first": points.first, "drawn": points.drawn, "other": points.other}


def absent_label(names: Sequence[str]) -> str:
    """Return "absent: NAMES", with "–" instead if there are no names."""
    return f"{seat_mark_label(SeatMark.ABSENT)}: {join_names(names) or NOBODY}"


NOBODY = "–"


def format_placings(report: AnyReport) -> str:
    """Return the places at a multiplayer table by seat, as "2–1–2–2".

    "×" is a seat without a place; a void result has its label.
    """
    if report.places is None:
        return ending_label(MatchEnding.VOID)
    return "–".join(str(place or "×") for place in report.places)


def multiplayer_result_text(outcome: Outcome, names: Sequence[str]) -> str:
    """Return a multiplayer result as text with the players' names.

    ``names``: in the order of seats.
    """
    return ", ".join([_head(outcome, names), *_marked(outcome, names)])


def points_earned_text(outcome: Outcome, names: Sequence[str], points: TablePoints) -> str:
    """Return the points of each player at a multiplayer table: "Points: Dora 5 · Anna 0".

    "" for a void result. ``names``: in the order of seats; ``points``: what the event's tables
    give.
    """
    if not outcome.counts:
        return ""
    table = Result(seats=tuple(names), outcome=outcome)
    by_points: dict[int, list[str]] = {}
    for name, made in zip(names, points.of(table), strict=True):
        by_points.setdefault(made, []).append(name)
    each = (
        f"{', '.join(by_points[made])} {format_points(Fraction(made, UNITS))}"
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
    for mark in (SeatMark.ABSENT, SeatMark.CONCEDED, SeatMark.DISQUALIFIED):
        seats = [seat for seat, own in outcome.marks if own is mark]
        if seats:
            yield f"{seat_mark_label(mark)}: {join_names(names[seat - 1] for seat in seats)}"


def desk_line_templates() -> dict[str, str]:
    """Return {key: template} of result messages for the desk's script.

    ``%(winner)s``, ``%(loser)s``, ``%(score)s`` and ``%(table)s`` are left for the script to fill
    in.
    """
    both = "%(winner)s – %(loser)s"
    wins = _("%(name)s wins") % {"name": "%(winner)s"}
    return {
        "wins": f"{wins}: %(score)s",
        "draw": f"{outcome_label(Winner.DRAW)}: {both} %(score)s",
        "agreed": f"{capfirst(intentional_draw_label())}: {both}",
        "absent": str(OF_WHOM[MatchEnding.NO_SHOW]),
        "concedes": str(OF_WHOM[MatchEnding.CONCESSION]),
        "both": ": ".join((_("Both absent"), both)),
        "minutes": _("Table %(table)s: +%(minutes)s min."),
        "strange": ": ".join((_("Unusual result"), both)),
    }


SWAPPED = {Winner.A: Winner.B, Winner.B: Winner.A}
OTHER_GAME = {"a": "b", "b": "a"}
TO_THE_END = (MatchEnding.PLAYED, MatchEnding.TIME)


def player_side(entry: AnyEntry, match: AnyMatch) -> str:
    """Return a player's side in a two-player match: "a" (first seat) or "b"."""
    return "a" if match.seats[0] == entry.pk else "b"


def seat_names(names: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a match in the order of seats; a bye gets a second name ""."""
    return tuple(names) if len(names) > 2 else two_seats(names, "")


def first_and_other_names(names: Sequence[str]) -> tuple[str, str]:
    """Return (first name, other names joined in one text, "" without others)."""
    return names[0], join_names([name for name in names[1:] if name])


def match_seat_names(match: AnyMatch, entries_by_pk: Mapping[int, object]) -> tuple[str, ...]:
    """Return the names of a match's players by seat; a bye has "" as second name.

    ``entries_by_pk``: {primary key: entry}.
    """
    return seat_names([str(entries_by_pk[key]) for key in match.seats])


def claim_from_side(side: str, claim: Claim) -> Claim:
    """Return a claim made from a player's side as one from a's side.

    For side "b", a and b are swapped; for "a" the claim is unchanged.
    """
    if side == "a":
        return claim
    return replace(
        claim,
        score=claim.score[::-1] if claim.score else None,
        games=tuple(OTHER_GAME.get(game, game) for game in claim.games) if claim.games else None,
        winner=SWAPPED.get(claim.winner, claim.winner) if claim.winner else None,
    )


def describe_own_result(outcome: Outcome, side: str) -> str:
    """Return a result as one of its two players reads it: "you won 2–1".

    ``side``: the player's, "a" or "b". Also "you lost, concession"; "you won, opponent: no-show";
    "you won 33–33, by warriors" (what decided an equal score).
    """
    own = Winner.A if side == "a" else Winner.B
    if outcome.winner is Winner.DRAW and is_intentional_draw(outcome.games_won):
        return intentional_draw_label()
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
    """Return the score or games won, own side first: "2–1"; "" for a forfeit.

    ``side``: "a" or "b".
    """
    if outcome.score is None and outcome.games_won is None:
        return ""
    pair = outcome.score or games_per_player(outcome.games_won or (0, 0, 0))
    own, other = pair if side == "a" else pair[::-1]
    return f"{own}–{other}"


def result_sentence(outcome: Outcome, a: str, b: str) -> str:
    """Return a result with the winner's name: "Anna wins: 2–1".

    ``a`` and ``b``: names of the players.
    """
    return result_with_names(report_from_outcome(outcome), a, b)


def game_winners_text(outcome: Outcome, *names: str) -> str:
    """Return a text with the winner of each game: "1. Anna · 2. Bruno".

    "" if the games were not reported one by one. ``names``: of both players.
    """
    a, b = names
    words = {"a": a, "b": b, "draw": _("draw")}
    shown = outcome.games if len(outcome.games) > 1 else ()
    return " · ".join(f"{number}. {words[game]}" for number, game in enumerate(shown, start=1))


def is_set_by_rule(report: Report) -> bool:
    """Return whether a result was set by rule, not by a person.

    That is so for byes, forfeits, results confirmed by time limit, and those on which the remaining
    players of a table agree. The report must be loaded with its author.
    """
    if report.kind == Report.Kind.CONFIRMATION:
        return report.by_entry_id is None and not report.who
    return report.kind == Report.Kind.AUTOMATIC


def reporter_name(report: Report) -> str:
    """Return the name of a report's author, or "By rule".

    The report must be loaded with its author.
    """
    return _("By rule") if is_set_by_rule(report) else report.who or str(report.by_entry or "?")


def seats_won(decision: AnyReport | None, size: int) -> tuple[bool, ...]:
    """Return for each seat whether its player won the match; all False for a draw.

    ``decision``: the report that counts, None before there is one; ``size``: number of seats.
    """
    outcome = outcome_from_report(decision, size) if decision is not None else None
    if outcome is None or outcome.is_draw or not outcome.counts:
        return (False,) * size
    return tuple(place == 1 for place in outcome.places)


def result_text(report: AnyReport) -> str:
    """Return a result from a's side: "40–22", "2–1" or "no-show, 0–1".

    For a multiplayer table the places by seat: "2–1–2–2".
    """
    if is_multiplayer_report(report):
        return format_placings(report)
    return _join_parts(report, _score_as_text(report), _ending(report))


def result_with_names(report: AnyReport, *names: str) -> str:
    """Return a result as text, with the winner's name and figures first.

    ``names``: in the order of seats. A player who was absent, conceded or was disqualified is named
    too.
    """
    if is_multiplayer_report(report):
        return multiplayer_result_text(outcome_from_report(report, len(names)), names)
    a, b = names
    if report.ended_by == MatchEnding.BYE:
        return ": ".join((a, pgettext("of a match", "bye")))
    if not b:
        return f"{a}: {bye_label(report)}"
    pair = {Winner.A: (a, b), Winner.B: (b, a)}.get(Winner(report.winner))
    if pair is None:
        if agreed := intentional_draw_text(report):
            return capfirst(agreed)
        figures = "" if report.ended_by == MatchEnding.DOUBLE_LOSS else result_text(report)
        return ": ".join(filter(None, (outcome_label(report.winner), figures)))
    winner, loser = pair
    ending = OF_WHOM.get(MatchEnding(report.ended_by))
    figures = _join_parts(
        report,
        _score_as_text(report, turned=report.winner == Winner.B),
        str(ending) % {"loser": loser} if ending else _ending(report),
    )
    wins = _("%(name)s wins") % {"name": winner}
    return f"{wins}: {figures}" if figures else wins


def result_with_ending(report: AnyReport, *names: str) -> str:
    """Return a short result from a's side, naming a player who was absent or conceded.

    ``names``: in the order of seats.
    """
    if is_multiplayer_report(report):
        return multiplayer_result_text(outcome_from_report(report, len(names)), names)
    a, b = names
    if not b:
        return bye_label(report)
    ending = OF_WHOM.get(MatchEnding(report.ended_by))
    losers = {Winner.A: b, Winner.B: a}
    if ending is None or Winner(report.winner) not in losers:
        return result_text(report)
    words = str(ending) % {"loser": losers[Winner(report.winner)]}
    return _join_parts(report, _score_as_text(report), words)


def _join_parts(report: AnyReport, figures: str, ending: str) -> str:
    tie_break = tie_break_label(report.tie_break) if report.tie_break else ""
    return ", ".join(part for part in (figures, ending, tie_break) if part)


def intentional_draw_text(report: AnyReport) -> str:
    """Return the label of an intentional draw, "" for any other result."""
    agreed = report.winner == Winner.DRAW and is_intentional_draw(report_games(report))
    return intentional_draw_label() if agreed else ""


def _ending(report: AnyReport) -> str:
    if report.ended_by in (MatchEnding.PLAYED, MatchEnding.BYE):
        return ""
    if report.ended_by == MatchEnding.TIME and report.winner == Winner.DRAW:
        return ""  # as in sentences: a draw ends no match before its time
    return ending_label(report.ended_by)


def score_with_names(report: AnyReport, *names: str) -> str:
    """Return "Anna 40–22 Bruno", or a text on who won if there is no score.

    ``names``: in the order of seats.
    """
    if is_multiplayer_report(report):
        return multiplayer_result_text(outcome_from_report(report, len(names)), names)
    a, b = names
    figures = _score_as_text(report)
    if figures and not (report.tie_break or intentional_draw_text(report)) and _leader_won(report):
        return f"{a} {figures} {b}"
    return f"{join_names((a, b))}: {result_with_names(report, a, b)}"


def _leader_won(report: AnyReport) -> bool:
    score = report_score(report) or (report_games(report) or (0, 0, 0))[:2]
    leader = Winner.DRAW if score[0] == score[1] else Winner.A if score[0] > score[1] else Winner.B
    return leader == report.winner


def _score_as_text(report: AnyReport, *, turned: bool = False) -> str:
    """Return games or score from a's side, from b's if ``turned``; empty if there are none."""
    games, score = report_games(report), report_score(report) or ()
    if games is not None:
        a, b, drawn = games
        return format_games((b, a, drawn) if turned else games)
    return "–".join(map(str, score[::-1] if turned else score))


COUNTED = (Report.Kind.CONFIRMATION, Report.Kind.DECISION, Report.Kind.AUTOMATIC)
"""The kinds of reports of which each was the result that counts."""


def may_have_earlier_report(match: AnyMatch, version: int) -> bool:
    """Return whether a match's present players may have made an earlier report; no query.

    ``version``: that of the later report.
    """
    return version > match.version_before + 1


def find_earlier_result(match: AnyMatch, version: int, reports: Iterable[Report]) -> Report | None:
    """Return a match's report that stood when a later one was stored, or None.

    ``version``: that of the later report; ``reports``: the match's, oldest first. It is the final
    result of then (its kind is in `COUNTED`), or an undisputed report. Reports of players who had
    the seats before a correction are ignored.
    """
    own = [each for each in reports if match.version_before < each.version < version]
    last = own[-1] if own else None
    if last is None or last.kind in COUNTED:
        return last
    told = [each for each in own if each.kind == Report.Kind.REPORT]
    disputed = len({each.by_entry_id or each.by_id for each in told}) > 1
    return None if disputed or is_multiplayer_report(last) else last


def score_texts(decision: AnyReport) -> tuple[str, ...]:
    """Return each player's points or games won, as texts; () without a score.

    "½" is a draw of a single game. For a multiplayer table these are the places, "–" for none.
    """
    if is_multiplayer_report(decision):
        return tuple(str(place or "–") for place in decision.places or ())
    score, games = report_score(decision), report_games(decision)
    if games == (0, 0, 1) or (games is not None and score is None):
        return games_per_player(games)
    return tuple(map(str, score or ()))
