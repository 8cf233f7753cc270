"""Results as they stood when something was made from them: a correction may have kept it."""

from collections import defaultdict
from copy import copy
from dataclasses import replace

from rules.results import Result
from rules.stages.base import StageState
from tournaments.mapping import result_of
from tournaments.models import LogLine, Match, Report
from tournaments.selectors.facts import EventFacts, StageFacts

RESULTS = ("result.entered", "result.corrected", "result.reported", "result.confirmed")
MADE = ("round.drafted", "stage.closed")


class Past:
    """What the log and the reports of an event tell of earlier results; two queries."""

    def __init__(self, facts: EventFacts) -> None:
        """Read the lines about results, and when each round and each place was made."""
        self.facts = facts
        self.made: dict[tuple[str, str], int] = {}
        self.said: dict[tuple[int, int], list[tuple[int, int]]] = defaultdict(list)
        lines = LogLine.objects.filter(event=facts.event, action__in=(*RESULTS, *MADE))
        for line in lines.order_by("number"):
            if line.action in MADE:
                self.made[line.action, line.subject] = line.number
            else:
                where = int(line.subject.partition("/")[0]), line.after["match"]
                self.said[where].append((line.number, line.after["version"]))
        reports = Report.objects.filter(match__round__event=facts.event)
        self.reports = {(report.match_id, report.version): report for report in reports}

    def at_draft(self, stage: StageFacts, ordinal: int) -> StageState:
        """Return a stage with its results as they were when a round was drafted."""
        return self._at(stage, self.made.get(("round.drafted", str(ordinal)), 0))

    def at_close(self, stage: StageFacts) -> StageState:
        """Return a closed stage with its results as they were when it closed."""
        return self._at(stage, self.made.get(("stage.closed", stage.stage.key), 0))

    def _at(self, stage: StageFacts, line: int) -> StageState:
        rounds = tuple(
            tuple(
                (pairing, self._result(item.ordinal, match, result, line))
                for match, (pairing, result) in zip(stage.matches_of(item), played, strict=True)
            )
            for item, played in zip(stage.rounds, stage.state.rounds, strict=True)
        )
        return replace(stage.state, rounds=rounds)

    def _result(self, ordinal: int, match: Match, result: Result, line: int) -> Result:
        """Return what counted in a match at a line: the report before the next that was made."""
        later = [version for number, version in self.said[ordinal, match.number] if number > line]
        if not later:
            return result
        then = copy(match)
        then.decision = self.reports.get((match.pk, min(later) - 1))
        return result_of(then, result.round, self.facts.numbers)
