"""Score made and conceded: promotion points, or games won."""

from rules.criteria.base import numeric
from rules.history import History
from rules.results import PlayerId
from rules.wording import Sentence
from rules.wording import gettext_noop as _


def _made(history: History, player: PlayerId) -> int:
    return history.tallies[player].made


def _difference(history: History, player: PlayerId) -> int:
    tally = history.tallies[player]
    return tally.made - tally.conceded


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
    value=_made,
)
SCORE_DIFFERENCE = numeric(
    key="score_difference",
    label=Sentence(_("Score difference")),
    short=Sentence(_("Diff")),
    explains=Sentence(_("Score made minus score conceded.")),
    value=_difference,
)
