"""Score made and conceded: promotion points, or games won."""

from rules.criteria.base import numeric
from rules.history import History
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def _made(history: History) -> list[int]:
    return history.scores.made


def _difference(history: History) -> list[int]:
    return [made - conceded for made, conceded in zip(*history.scores, strict=True)]


SCORE_FOR = numeric(
    key="score_for",
    label=Sentence(_("Score made")),
    short=Sentence(_("Made")),
    explains=Sentence(
        _(
            "Promotion points for Doomtrooper, games won for the other games. Byes and forfeits "
            "bring none."
        )
    ),
    values=_made,
)
SCORE_DIFFERENCE = numeric(
    key="score_difference",
    label=Sentence(_("Score difference")),
    short=Sentence(_("Diff")),
    explains=Sentence(_("Score made minus score conceded.")),
    values=_difference,
)
