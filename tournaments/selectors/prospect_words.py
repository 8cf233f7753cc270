"""What is said to a player of who goes on: sentences, and what something open depends on."""

from collections.abc import Mapping

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from rules.scenarios import On, Prospect, Verdict
from tournaments.core.event_state import StageFacts
from tournaments.core.mapping import play_of

AFTER: Mapping[tuple[str, Verdict], str | Promise] = {
    ("win", Verdict.THROUGH): gettext_lazy("A win takes you on."),
    ("win", Verdict.OUT): gettext_lazy("Even a win does not take you on."),
    ("win", Verdict.OPEN): gettext_lazy("After a win it depends %(on)s."),
    ("draw", Verdict.THROUGH): gettext_lazy("A draw takes you on."),
    ("draw", Verdict.OUT): gettext_lazy("A draw puts you out."),
    ("draw", Verdict.OPEN): gettext_lazy("After a draw it depends %(on)s."),
    ("loss", Verdict.THROUGH): gettext_lazy("Even a loss takes you on."),
    ("loss", Verdict.OUT): gettext_lazy("A loss puts you out."),
    ("loss", Verdict.OPEN): gettext_lazy("After a loss it depends %(on)s."),
}


def after_words(stage: StageFacts, prospect: Prospect, result: str) -> str:
    """Return what a result of the next match would mean, as a sentence."""
    text = str(AFTER[result, prospect.after[result]])
    return text % {"on": depends_on(stage, prospect, result)}


def headline(stage: StageFacts, prospect: Prospect) -> str:
    """Return the verdict on a player as a sentence to them."""
    if prospect.verdict is Verdict.THROUGH:
        return _("You go on, however the other matches end.")
    if prospect.verdict is Verdict.OUT:
        return _("You can’t go on any more, however the other matches end.")
    if prospect.opponent is not None:
        return _("It is open whether you go on.")
    return _("Your matches of this stage are played: it depends %(on)s.") % {
        "on": depends_on(stage, prospect, "now")
    }


def depends_on(stage: StageFacts, prospect: Prospect, result: str) -> str:
    """Return what something open depends on, to stand behind "it depends"."""
    on = prospect.depends.get(result, frozenset())
    extra = {item.pk for item in stage.extra_rounds}
    if stage.rounds_done and not {m.round_id for m in stage.missing}.difference(extra):
        return _("on the drawing of lots or an extra match")
    if On.SCORES not in on:
        return _("on the other results")
    alone = On.RESULTS not in on
    if not {"score_for", "score_difference"} & set(stage.event.criteria):
        both, one = _("on the other results and on the tie-breaks"), _("on the tie-breaks")
    elif play_of(stage.event).score == "promotion":
        both, one = _("on the other results and on promotion points"), _("on promotion points")
    else:
        both, one = _("on the other results and on games won"), _("on games won")
    return one if alone else both
