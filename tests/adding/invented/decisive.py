"""A criterion: matches that somebody won."""

from rules.criteria.base import numeric_criterion
from rules.history.group_history import History
from rules.wording import Sentence


def _decisive(history: History) -> list[int]:
    outcomes = history.outcomes
    return [won + lost for won, lost in zip(outcomes.won, outcomes.lost, strict=True)]


DECISIVE = numeric_criterion(
    key="decisive",
    label=Sentence("Decisive matches"),
    short=Sentence("Dec"),
    explains=Sentence("Matches that somebody won."),
    values=_decisive,
)
