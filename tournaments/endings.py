"""How matches end, in the reader's language."""

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


def ending_label(ended_by: str) -> str:
    """Return how a match ended, in words."""
    return str(ENDINGS[EndedBy(ended_by)])


def tie_break_label(tie_break: str) -> str:
    """Return what decided a level match, in words."""
    return str(TIE_BREAKS[TieBreak(tie_break)])
