"""What a player who has left is told about coming back, by the state of their page."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from rules.events.returning import OPEN, Returning
from tournaments.core.event_state import EventFacts
from tournaments.models import Entry
from tournaments.personal.selectors.departure import moment_words
from tournaments.personal.selectors.rounds import next_round
from tournaments.players.selectors.returns import all_taken


@dataclass(frozen=True, slots=True, kw_only=True)
class WayBack:
    """The words about coming back; ``asks``: the player can ask for it by one tap.

    ``line_offline`` replaces ``line`` on a copy shown without connection, "" where that still
    holds.
    """

    title: str
    line: str
    line_offline: str = ""
    asks: bool = False


def way_back(facts: EventFacts, entry: Entry, returning: Returning) -> WayBack | None:
    """Return the words about coming back, None where the page says nothing of it; no query."""
    if returning is Returning.NOT_OFFERED:
        return None
    mistake = _("Was it a mistake?")
    if returning not in OPEN:
        return WayBack(title=mistake, line=_against(returning))
    if returning is Returning.MAY_ASK:
        ask = _("Without connection ask at the desk.")
        return WayBack(title=mistake, line=_cost(facts), line_offline=ask, asks=True)
    asked = _("You have asked to come back")
    values = {"when": moment_words(facts.event, entry.return_asked_at)}
    if returning is Returning.ASKED:
        line = _("Sent %(when)s. The desk decides, and this page tells you.") % values
        offline = _("Sent %(when)s. The desk decides: ask there.") % values
        return WayBack(title=asked, line=line, line_offline=offline)
    values = {"when": moment_words(facts.event, entry.return_refused_at)}
    line = _("The staff refused %(when)s. If you have a question, go to the desk.") % values
    return WayBack(title=asked, line=line)


def _cost(facts: EventFacts) -> str:
    """Return what coming back costs, as a sentence."""
    if facts.plan is None and all_taken(facts):
        return _(
            "All places are taken now, or go to who is waiting: the staff decide whether there is "
            "still room for you."
        )
    if facts.plan is None:
        return _("The event has not begun: the staff can still take you back.")
    stage, number = facts.open_stage, next_round(facts)
    if stage is not None and not stage.kind.has_bracket and not number:
        return _(
            "You can still come back: all rounds of this stage are made, and what you have played "
            "decides whether you go on."
        )
    if stage is None or stage.kind.has_bracket:
        return _("You can still come back. A match that you miss meanwhile is lost.")
    words = _("You can come back from round %(number)s on. What you miss meanwhile is lost.")
    return words % {"number": number}


def _against(returning: Returning) -> str:
    """Return why the player can't come back, and where to ask, as a sentence."""
    sentences = {
        Returning.STRUCK: _(
            "You can’t come back: you are struck from your group. If that is wrong, go to the desk."
        ),
        Returning.ALL_PLAYED: _(
            "You can’t come back: no match is left for you. If you have a question, go to the desk."
        ),
        Returning.NO_PLACE: _(
            "You can’t come back: this stage began without you and takes nobody else. If you have "
            "a question, go to the desk."
        ),
    }
    return sentences[returning]
