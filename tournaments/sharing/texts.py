"""Pairings, results and standings of a round as plain text for chats, split into messages.

They tell what everybody sees, to the staff too: neither drafts nor standings that are held back.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from django.utils.translation import gettext as _

from tournaments.core.event_state import EventFacts
from tournaments.core.labels import format_rank, format_record, stage_and_round_label
from tournaments.core.rows import AnyEntry
from tournaments.rounds.selectors.pairings import PairingRow, PairingsPage, pairings_page
from tournaments.standings.selectors.ranking import RankingRow, ranking_page, records_by_player
from tournaments.standings.selectors.rows import StandingRow
from tournaments.standings.selectors.standings import (
    RoundLink,
    StageStandings,
    earlier_standings,
    stage_standings,
)

LONGEST = 2000
"""Characters of a message, as Discord takes them; Telegram and WhatsApp take more."""
BETWEEN = "\n\f\n"
BREAK = "\N{ZERO WIDTH SPACE}"
Text = tuple[str, list[str]]
"""The heading and the lines of a text."""


def split_messages(
    head: str, lines: Iterable[str], foot: str, most: int = LONGEST
) -> tuple[str, ...]:
    """Return a text split into messages of at most ``most`` characters.

    Each begins with ``head`` (numbered if there are several), the last one ends with ``foot``; too
    long lines are cut. Characters are UTF-16 units, as chats count.
    """
    numbered = f"{head} (99/99)"
    room = most - _length(numbered) - _length(foot) - len("\n\n\n\n")
    parts: list[list[str]] = [[]]
    left = room
    for line in lines:
        fitting = _cut(line, room)
        need = _length(fitting) + 1
        if need > left and parts[-1]:
            parts.append([])
            left = room
        parts[-1].append(fitting)
        left -= need
    several = len(parts) > 1
    return tuple(
        "\n\n".join(
            filter(
                None,
                (
                    f"{head} ({number}/{len(parts)})" if several else head,
                    "\n".join(part),
                    foot if number == len(parts) else "",
                ),
            )
        )
        for number, part in enumerate(parts, start=1)
    )


def _length(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _cut(line: str, most: int) -> str:
    most -= 1  # the end of the line
    while _length(line) > most:
        line = f"{line[: len(line) - 2 - max(0, (_length(line) - most) // 2)]}…"
    return line


def pairings_text(facts: EventFacts, ordinal: int | None) -> Text | None:
    """Return (heading, lines) of a round's pairings, None without.

    ``ordinal`` is the round's number, None for the latest published round.
    """
    shown = pairings_page(facts, ordinal)
    if shown is None:
        return None
    rows = shown.to_play if shown.is_latest else shown.tables
    lines = [_line(shown, row, with_result=False) for row in rows]
    if shown.resting:
        names = ", ".join(_name(entry) for entry in shown.resting)
        lines.append(" ".join((_("No match this round:"), names)))
    return _heading(_("Pairings"), shown), lines


def results_text(facts: EventFacts, ordinal: int | None) -> Text | None:
    """Return (heading, lines) of a round's results, None without.

    ``ordinal`` is the round's number, None for the latest published round.
    """
    shown = pairings_page(facts, ordinal)
    if shown is None:
        return None
    lines = [_line(shown, row, with_result=True) for row in shown.tables]
    return _heading(_("Results"), shown), lines


def _heading(what: str, shown: PairingsPage) -> str:
    return f"{what} – {stage_and_round_label(shown.stage, shown.label)}"


def _line(shown: PairingsPage, row: PairingRow, *, with_result: bool) -> str:
    names = [_name(entry) for entry in row.players]
    beside = row.of_round or row.name or (row.group if shown.shows_groups else "")
    where = f" ({beside})" if beside else ""
    if row.table is None:
        words = row.result or (_("Playing") if with_result else "")
        return f"{' – '.join(names)}{where}{f': {words}' if words else ''}"
    players = ", ".join(names) if row.has_seats else " – ".join(names)
    result = row.result or _("Playing")
    return f"{row.table}. {players}{where}{f': {result}' if with_result else ''}"


def standings_text(facts: EventFacts, ordinal: int | None) -> Text | None:
    """Return (heading, lines) of the standings after a round, None without.

    ``ordinal`` is the round's number, None for the final standings, else the last complete round of
    the latest stage with standings.
    """
    ranking = ranking_page(facts)
    if ordinal is None and ranking.rows and not ranking.still_in:
        tallies = records_by_player(facts)
        return _("Final standings"), [
            _ranked(row, [format_record(tallies[row.entry.number])]) for row in ranking.rows
        ]
    stage = _last_whole(facts) if ordinal is None else _after(facts, ordinal)
    if stage is None:
        return None
    words = _("after round %(round)s") % {"round": stage.last_whole}
    heading = " – ".join((_("Standings"), stage.label))
    return f"{heading}, {words}", list(_standings_lines(stage))


def _after(facts: EventFacts, ordinal: int) -> StageStandings | None:
    stage = earlier_standings(facts, ordinal)
    return stage if stage and RoundLink(ordinal=ordinal, there=True) in stage.links else None


def _last_whole(facts: EventFacts) -> StageStandings | None:
    stage = next((each for each in stage_standings(facts) if each.tables), None)
    if stage is None or not stage.last_whole:
        return None
    return earlier_standings(facts, stage.last_whole) if stage.under_way else stage


def _standings_lines(stage: StageStandings) -> Iterator[str]:
    tables = [table for table in stage.tables if not table.compared]
    for table in tables:
        if len(tables) > 1:
            yield table.caption
        for row in table.rows:
            yield _ranked(row, [*row.values[:1], format_record(row)])


def _ranked(row: RankingRow | StandingRow, figures: list[str]) -> str:
    rank = format_rank(row.rank, getattr(row, "last", 0), shared=row.shared)
    return f"{rank}. {_name(row.entry)} · {' · '.join(figures)}"


def _name(entry: AnyEntry) -> str:
    return escape_mentions(entry.display_name)


def escape_mentions(name: str) -> str:
    """Return a name in which an @ doesn't mention anybody in a chat."""
    return name.replace("@", f"@{BREAK}")


TEXTS: Mapping[str, Callable[[EventFacts, int | None], Text | None]] = {
    "pairings": pairings_text,
    "results": results_text,
    "standings": standings_text,
}


def shared_text(facts: EventFacts, kind: str, ordinal: int | None, address: str) -> tuple[str, ...]:
    """Return a text about an event as chat messages that end with its ``address``.

    ``kind`` is a key of ``TEXTS``; ``ordinal`` a round's number, None for the latest. Before the
    first round: name and address only. () if the round or its standings are not public. ``facts``
    must be loaded without drafts; no query.
    """
    found = TEXTS[kind](facts, ordinal)
    if found is None and ordinal is not None:
        return ()
    heading, lines = found or ("", [])
    return split_messages(f"{facts.event.name}\n{heading}".strip(), lines, address)
