"""Acts of ``rounds``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, Inverse, Rows, Shows
from tournaments.core.permissions import can_manage, can_run_rounds

act = partial(Act, may=can_run_rounds, state="play")
DRAFTED = act(
    key="round.drafted",
    words=_("Round drafted"),
    undo=Inverse("tournaments.rounds.inverses.undo_draft"),
    shows=Shows.ADDS,
    ask_undo=_("Its pairings are removed. Take the round back?"),
)
PUBLISHED = act(
    key="round.published",
    words=_("Round published"),
    undo=Inverse("tournaments.rounds.inverses.undo_publication"),
    shows=Shows.ADDS,
    ask_undo=_(
        "The round is a draft again, and nobody but the staff sees it. Take the publication back?"
    ),
    type_undo="tournaments.rounds.inverses.names_if_acted_on",
)
TAKEN_BACK = act(
    key="round.taken_back",
    words=_("Round taken back"),
    undo=Rows(),
    shows=Shows.TAKES_AWAY,
    ask_redo=_("Its pairings are removed. Take the round back?"),
)
DISCARDED = act(
    key="round.discarded",
    words=_("Round with results thrown away"),
    may=can_manage,
    undo=Rows(),
    shows=Shows.TAKES_AWAY,
    ask_redo=_("The round goes again with its results. Throw it away?"),
    type_redo="tournaments.rounds.inverses.names_if_reported",
)
