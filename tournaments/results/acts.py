"""Acts of ``results``: its lines of the log, who may write each, how it is undone."""

from functools import partial

from django.utils.translation import gettext_lazy as _

from tournaments.core.acts import Act, CacheEffect, Inverse, LogTopic, NoUndo, RowUndo
from tournaments.core.permissions import can_enter_results

BY_PLAYER = NoUndo(_("Correct the result instead."))

act = partial(
    Act, state="play", shows=CacheEffect.ADDS, matches_alone=True, tells=(LogTopic.RESULT,)
)
REPORTED = act(key="result.reported", words=_("Result reported"), player_may=True, undo=BY_PLAYER)
CONFIRMED = act(
    key="result.confirmed", words=_("Result confirmed"), player_may=True, undo=BY_PLAYER
)
CONTRADICTED = act(
    key="result.contradicted",
    words=_("Result contradicted"),
    player_may=True,
    undo=BY_PLAYER,
)
ENTERED = act(
    key="result.entered",
    words=_("Result entered"),
    may=can_enter_results,
    undo=Inverse("tournaments.results.services.results.undo_result"),
    bound="tournaments.results.services.results.why_not_undoable",
)
CORRECTED = act(
    key="result.corrected",
    words=_("Result corrected"),
    may=can_enter_results,
    undo=Inverse("tournaments.results.services.results.undo_correction"),
    tells=(LogTopic.RESULT, LogTopic.KEPT_PLACE),
)
ABSENT = act(
    key="result.absent",
    words=_("Absence recorded"),
    may=can_enter_results,
    undo=RowUndo(),
    matches_alone=False,
    tells=(),
)
