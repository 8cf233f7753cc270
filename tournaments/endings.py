"""How matches end, in the reader's language."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from rules.results import EndedBy, TieBreak

ENDINGS = {
    EndedBy.PLAYED: _("played out"),
    EndedBy.TIME: _("at time"),
    EndedBy.CONCESSION: _("concession"),
    EndedBy.NO_SHOW: _("no-show"),
    EndedBy.NO_WARRIORS: _("no warriors"),
    EndedBy.DISQUALIFICATION: _("disqualification"),
    EndedBy.BYE: _("bye"),
    EndedBy.DOUBLE_LOSS: _("double loss"),
    EndedBy.VOID: _("void"),
}
TIE_BREAKS = {
    TieBreak.WARRIORS: _("by warriors"),
    TieBreak.EXTRA_TURNS: _("by extra turns"),
    TieBreak.JUDGE: _("by the judge"),
}
TIE_BREAK_CHOICES = TIE_BREAKS | {
    TieBreak.WARRIORS: _("more warriors in play, not counting SDOPPIAMENTO cards"),
}
"""The same where somebody has to choose: what counts stands beside it."""


OF_WHOM: Mapping[EndedBy, Promise] = {
    EndedBy.CONCESSION: _("%(loser)s concedes"),
    EndedBy.NO_SHOW: _("%(loser)s is absent"),
    EndedBy.NO_WARRIORS: _("%(loser)s has no warriors"),
    EndedBy.DISQUALIFICATION: _("%(loser)s is disqualified"),
}
"""Ends that one of the two brought about, and of whom they are said."""
AGREED_GAMES = 3
"""So many drawn games and no other are a draw that was agreed: nobody has played them."""


def is_agreed_draw(games_won: tuple[int, int, int] | None) -> bool:
    """Say whether all games count as drawn, as two write who agree on a draw: 0–0–3."""
    return games_won is not None and games_won[:2] == (0, 0) and games_won[2] >= AGREED_GAMES


def ending_label(ended_by: str) -> str:
    """Return how a match ended, in words."""
    return str(ENDINGS[EndedBy(ended_by)])


def tie_break_label(tie_break: str) -> str:
    """Return what decided a level match, in words."""
    return str(TIE_BREAKS[TieBreak(tie_break)])
