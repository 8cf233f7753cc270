"""Results as they stood when a round was drafted or a stage closed.

A correction may keep a round or places that follow from the result before it.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace

from rules.results import PlayerId, Result
from rules.stages.base import Played, StageState
from tournaments.core.acts import LogTopic, actions_by_topic
from tournaments.core.event_state import EventFacts, StageFacts
from tournaments.core.mapping import outcome_from_report
from tournaments.core.rows import MatchRow, RoundRow
from tournaments.models import Entry, LogLine, Report

DRAFTED, CHANGED, CLOSED = "round.drafted", "round.changed", "stage.closed"
UNDONE, REDONE, RESTORED = "act.undone", "act.redone", "event.restored"
LEFT = frozenset({Entry.Status.WITHDRAWN, Entry.Status.DISQUALIFIED})

Followed = tuple[int, LogLine]
"""The line that a correction was carried through by, its own or that of a redo, and its own."""


class HistoricalResults:
    """The results, drops and random draws of an event as of earlier log lines.

    Two queries when it is created.
    """

    def __init__(self, facts: EventFacts) -> None:
        """Read the log lines about results, drafted rounds, closed stages and withdrawals."""
        self.facts = facts
        self.made: dict[tuple[str, str], int] = {}
        self.changed: dict[str, list[int]] = defaultdict(list)
        self.followed: list[Followed] = []
        self.logged: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        self.moved: list[tuple[int, int, bool]] = []
        self.brought: dict[int, tuple[int, int, frozenset[PlayerId]]] = {}
        self.drawn: dict[int, int] = {}
        results, drawn = actions_by_topic(LogTopic.RESULT), actions_by_topic(LogTopic.LOTS)
        self.leaving = actions_by_topic(LogTopic.PRESENCE)
        made = (DRAFTED, CLOSED)
        actions = (*results, *drawn, *self.leaving, *made, CHANGED, UNDONE, REDONE, RESTORED)
        lines = LogLine.objects.filter(event=facts.event, action__in=actions).order_by("number")
        self.lines = {line.number: line for line in lines}
        lines_kept = drop_reverted_lines(self.lines.values())
        self.followed = seat_corrections(lines_kept)
        for line in lines_kept:
            if line.action in drawn:
                self.drawn[int(line.subject)] = line.number
            elif line.action in made:
                self.made[line.action, line.subject] = line.number
            elif line.action == CHANGED:
                self.changed[line.subject].append(line.number)
            elif line.action in results and "match" not in line.after:
                continue  # a seat was given away, and no result corrected
            elif line.action in results:
                where = int(line.subject.partition("/")[0]), line.after["match"]
                self.logged[where].append((line.number, line.after["version"]))
            else:
                self._follow_departure(line)
        reports = Report.objects.filter(match__round__event=facts.event)
        self.reports = {(report.match_id, report.version): report for report in reports}

    def _follow_departure(self, line: LogLine) -> None:
        """Record the withdrawal or return in a line: an act, its undo or its redo.

        Undo restores the status before the act, which may be withdrawn too.
        """
        act, undone = line, line.action == UNDONE
        while act.action in (UNDONE, REDONE):
            found = self.lines.get(act.after["line"])
            if found is None:
                return
            act = found
        if act.action in self.leaving:
            status = (act.before if undone else act.after).get("status")
            self.moved.append((line.number, act.after["number"], status in LEFT))
            if undone:
                self.brought.pop(act.number, None)
            elif "match" in act.after:
                met = frozenset({act.after["number"], *act.after.get("joins", ())})
                self.brought[act.number] = line.number, act.after["round"], met

    def at_draft(self, stage: StageFacts, ordinal: int) -> StageState:
        """Return the state of a stage when a round was drafted, or others last came into it."""
        drafted = self.made.get((DRAFTED, str(ordinal)), 0)
        given = [at for at, _line in self._followed_since(ordinal, drafted)]
        given += [at for at, where, _met in self.brought.values() if where == ordinal]
        return self._state_at(stage, max((drafted, *given)))

    def when_counted(self, stage: StageFacts, ordinal: int) -> Iterator[StageState]:
        """Yield the states of a stage in which the tables of a round may have been counted last.

        `at_draft` first, then when it was drafted, and whenever its draft was changed by hand.
        """
        yield self.at_draft(stage, ordinal)
        drafted = self.made.get((DRAFTED, str(ordinal)), 0)
        for line in (drafted, *self.changed[str(ordinal)]):
            if line >= drafted:
                yield self._state_at(stage, line)

    def _followed_since(self, ordinal: int, drafted: int) -> list[Followed]:
        """Return the corrections since a round's draft that its matches followed."""
        later = (each for each in self.followed if each[0] > drafted)
        return [(at, line) for at, line in later if ordinal in line.after.get("rounds", ())]

    def at_close(self, stage: StageFacts) -> StageFacts:
        """Return a stage with results and lots of when its places were stored, and who was away.

        They were when it closed, or when a correction moved them: whoever had a place kept it then.
        """
        closed = self.made.get((CLOSED, stage.stage.key), 0)
        moved = last_places_correction(self.followed, stage.stage.key)
        if moved < closed:
            state = replace(self._state_at(stage, closed), withdrawn=self.away_at_close(stage))
            return replace(stage, state=state, lots=self._lots_at(stage, closed))
        away = self._withdrawn_at(moved) - frozenset(stage.stage.places.values())
        state = replace(self._state_at(stage, moved), withdrawn=away)
        return replace(stage, state=state, lots=self._lots_at(stage, moved))

    def _lots_at(self, stage: StageFacts, line: int) -> tuple[tuple[PlayerId, ...], ...]:
        drawn = zip(self.facts.rows.lots, stage.lots, strict=True)
        return tuple(
            order if self.drawn.get(draw.number, 0) < line else () for draw, order in drawn
        )

    def away_at_close(self, stage: StageFacts) -> frozenset[PlayerId]:
        return self._withdrawn_at(self.made.get((CLOSED, stage.stage.key), 0))

    def away_at_draft(self, ordinal: int) -> frozenset[PlayerId]:
        """Return the players who were withdrawn when a round was drafted.

        Whoever got a seat in it later by a correction, or came late and joined a match, was there.
        """
        drafted = self.made.get((DRAFTED, str(ordinal)), 0)
        given = self._followed_since(ordinal, drafted)
        seats = [seat for _at, line in given for seat in line.after["seats"]]
        met = [
            players
            for at, where, players in self.brought.values()
            if at > drafted and where == ordinal
        ]
        return self._withdrawn_at(drafted).difference((seat["in"] for seat in seats), *met)

    def _withdrawn_at(self, line: int) -> frozenset[PlayerId]:
        away = {player: gone for number, player, gone in self.moved if number <= line}
        return frozenset(player for player, gone in away.items() if gone)

    def _state_at(self, stage: StageFacts, line: int) -> StageState:

        def then(round_: RoundRow, played: Played) -> Played:
            matches = {match.number: match for match in stage.matches_of(round_)}
            return tuple(
                (pairing, self._result(round_.ordinal, matches[pairing.number], result, line))
                for pairing, result in played
            )

        return stage.state_with(then)

    def _result(self, ordinal: int, match: MatchRow, result: Result, line: int) -> Result:
        """Return the result of a match at a log line: the report before the first later one."""
        later = [version for at, version in self.logged[ordinal, match.number] if at > line]
        if not later:
            return result
        then = self.reports.get((match.pk, min(later) - 1))
        return replace(result, outcome=outcome_from_report(then, match.size) if then else None)


def seat_corrections(lines: Iterable[LogLine]) -> list[Followed]:
    """Return (number, line) of corrections that moved players and were not undone.

    number: of the line that put it into effect, of a redone correction that of its redo.
    """
    done: dict[int, LogLine] = {}
    undone: dict[int, LogLine] = {}
    following = actions_by_topic(LogTopic.FOLLOWED)
    for line in lines:
        if line.action in following:
            done[line.number] = line
        elif line.after.get("action") not in following:
            continue
        elif line.action == UNDONE and line.after["line"] in done:
            undone[line.number] = done.pop(line.after["line"])
        elif line.action == REDONE and line.after["undone"] in undone:
            done[line.number] = undone.pop(line.after["undone"])
    return sorted(done.items(), key=lambda each: each[0])


def last_places_correction(followed: Iterable[Followed], key: str) -> int:
    """Return the number of the last log line that moved a stage's places, 0 if none.

    ``followed``: from `seat_corrections`; ``key``: the stage's.
    """
    return max((at for at, line in followed if line.after.get("places_of") == key), default=0)


def drop_reverted_lines(lines: Iterable[LogLine]) -> list[LogLine]:
    """Return log lines without those that restoring a snapshot reverted."""
    found: list[LogLine] = []
    for line in lines:
        if line.action == RESTORED:
            found = [each for each in found if each.number <= line.after["version"]]
        else:
            found.append(line)
    return found
