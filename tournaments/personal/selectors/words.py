"""What the box at the top of a player's page says, by the state of the page."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.events.lifecycle import Returning
from rules.events.own_page import AT_TABLE, OwnPageState, PlayerState
from tournaments.core.labels import place_of, rank_ordinal
from tournaments.personal.selectors.decisions import Noted

TABLE, SOON, NOW, PLACE = "table", "soon", "now", "place"
MOST_COUNTED = 8
"""Open tables that are counted; a page of a crowd does not change with each of more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """The values that the words of a player's page mention, with moments as texts.

    ``next_round`` is the number of the round to come, 0 if none is or the player may not play in
    it; ``first_table`` the round in which a player sits down whose awarded byes last, 0 without
    such; ``later`` the stage in which a player outside the open one plays next; ``rank`` the one of
    now, "" if it is not told; ``tables`` the number still playing; ``ended`` the last round of a
    player in a bracket; ``if_left`` how many of those ahead have to leave for who is out to
    advance, 0 where nobody is told; ``decided`` the decision that shuts the player out; ``noted``
    says who noted that the player left, and when; ``in_line`` the place of who waits, 0 if one is
    free for them. ``started``: the event has begun; ``admits``: it takes players still;
    ``moved_up`` says for whom the player goes on; ``begun``: a round is made; ``held``: the
    standings are held back, so nothing of who goes on is told; ``level``: lots or a tiebreaker
    match are still to decide their place, which is final where the stage ``is_last``; ``seat_of``
    who left a place that may be theirs, "" for nobody.
    """

    name: str = ""
    begins: str = ""
    here_from: str = ""
    next_round: int = 0
    first_table: int = 0
    later: str = ""
    rank: str = ""
    field: int = 0
    tables: int = 0
    lots: bool = False
    ended: str = ""
    if_left: int = 0
    seat_of: str = ""
    decided: str = ""
    noted: Noted | None = None
    in_line: int = 0
    started: bool = False
    admits: bool = False
    moved_up: str = ""
    begun: bool = True
    held: bool = False
    level: bool = False
    is_last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatWords:
    """The words of the box; ``box`` is TABLE, SOON (a table may appear), NOW, PLACE or "".

    ``figure`` stands in it. ``line_offline`` replaces ``line`` on a copy shown without connection.
    """

    box: str = ""
    figure: str = ""
    title: str = ""
    line: str = ""
    line_offline: str = ""


def seat_words(state: OwnPageState, known: Known) -> SeatWords:
    """Return the words of a state; at a table the title, the opponent, is the template's."""
    return WORDS[state.state](state, known)


def no_table_offline() -> str:
    """Return the sentence of an offline copy in place of "your table appears here"."""
    return _("You are offline. Check the pairings posted at the venue.")


def _waiting(state: OwnPageState, known: Known) -> SeatWords:
    title = _("On the waiting list")
    if known.started:
        line = _("Ask at the desk.") if known.admits else _("Registration is closed.")
        return SeatWords(title=title, line=line)
    if not known.in_line:
        return SeatWords(title=_("A place has opened up for you"), line=_("Go to check-in."))
    line = _("Your place on the waiting list: %(number)s.") % {"number": known.in_line}
    return SeatWords(title=title, line=line)


def _registered(state: OwnPageState, known: Known) -> SeatWords:
    return SeatWords(title=_("You are registered"), line=known.begins)


def _arriving(state: OwnPageState, known: Known) -> SeatWords:
    return SeatWords(title=_("Are you here?"), line=known.begins)


def _here(state: OwnPageState, known: Known) -> SeatWords:
    return _soon(_("Checked in"))


def _at_table(state: OwnPageState, known: Known) -> SeatWords:
    return SeatWords(box=TABLE)


def _next(state: OwnPageState, known: Known) -> SeatWords:
    if known.level:
        title = _("You are tied") if known.is_last else _("You play on")
        return SeatWords(box=SOON, title=title, line=_("Random draw or tiebreaker match"))
    title = _("You play on") if known.begun else _("Next match")
    if known.next_round:
        title = _next_match(_("Round %(number)s") % {"number": known.next_round})
    if known.first_table:
        return _byes_go_on(title, known)
    if known.later:
        line = f"{known.moved_up} {_next_match(known.later)}".strip()
        return SeatWords(box=SOON, title=title, line=line)
    words = _soon(title)
    return replace(words, line=f"{known.moved_up} {words.line}".strip())


def _next_match(where: str) -> str:
    return ": ".join((_("Next match"), where))


def _no_match(title: Promise) -> Callable[[OwnPageState, Known], SeatWords]:
    def words(state: OwnPageState, known: Known) -> SeatWords:
        return _byes_go_on(str(title), known) if known.first_table else _soon(str(title))

    return words


def _byes_go_on(title: str, known: Known) -> SeatWords:
    line = _next_match(_("Round %(number)s") % {"number": known.first_table})
    return SeatWords(box=SOON, title=title, line=line)


def _soon(title: str) -> SeatWords:
    line, offline = _("Your table will appear here automatically."), no_table_offline()
    return SeatWords(box=SOON, title=title, line=line, line_offline=offline)


def _unsure(state: OwnPageState, known: Known) -> SeatWords:
    box = NOW if known.rank else ""
    title = _("Not decided yet")
    return SeatWords(box=box, figure=known.rank, title=title, line=depends_on(known))


def depends_on(known: Known) -> str:
    """Return a sentence: what still decides whether a player who has played everything advances."""
    if known.held:
        return _("The latest standings aren’t published yet.")
    if known.next_round or known.tables > MOST_COUNTED:
        return _("It depends on other results.")
    if known.tables:
        return _("Tables still playing: %(count)s") % {"count": known.tables}
    if known.lots:
        return _("Random draw or tiebreaker match")
    return _("This will be decided when the stage closes.")


def _place(state: OwnPageState, known: Known) -> SeatWords:
    if state.places is None:
        return SeatWords()
    first, last, shared = state.places
    title = place_of(first, last, shared=shared, field=known.field)
    if not state.place:
        return SeatWords(title=title)
    return SeatWords(box=PLACE, figure=rank_ordinal(first, shared=shared), title=title)


def _out(state: OwnPageState, known: Known) -> SeatWords:
    words = _place(state, known)
    title = words.title or _("You have no more matches")
    if known.seat_of:
        title = _("A place may have opened up for you")
        line = _("%(name)s has dropped and you are next in line. Ask at the desk.")
        return SeatWords(title=title, line=line % {"name": known.seat_of})
    if known.if_left:
        return replace(words, title=title, line=_if_left(known))
    lines = [_("Well played, %(name)s!") % {"name": known.name}]
    if state.has_won:
        lines.insert(0, _("You won the event."))
    elif known.ended:
        lines.insert(0, _("Your last round: %(round)s.") % {"round": known.ended})
    return replace(words, title=title, line=" ".join(lines))


def _if_left(known: Known) -> str:
    words = ngettext(
        "You advance only if %(count)s player ahead of you drops.",
        "You advance only if %(count)s players ahead of you drop.",
        known.if_left,
    )
    return words % {"count": known.if_left}


def _shut_out(state: OwnPageState, known: Known) -> SeatWords:
    words = _place(state, known)
    lines = [known.decided, _if_left(known) if known.if_left else ""]
    title = words.title or _("You have no more matches")
    return replace(words, title=title, line=" ".join(filter(None, lines)))


def _left(state: OwnPageState, known: Known) -> SeatWords:
    words = _place(state, known)
    noted, title = known.noted, _("You have dropped")
    lines = [noted.words if noted else "", words.title]
    if noted and noted.taken_out:
        title = _("The staff removed you from this event")
        if noted.absent:
            title = _("The staff recorded you as a no-show")
        if state.returning is Returning.NOT_OFFERED:  # else what stands below says what to do
            lines.append(_("If this is wrong, ask at the desk."))
    return replace(words, title=title, line=" · ".join(filter(None, lines)))


def _disqualified(state: OwnPageState, known: Known) -> SeatWords:
    return SeatWords(title=_("You have been disqualified"))


def _over(state: OwnPageState, known: Known) -> SeatWords:
    words = _place(state, known)
    if not words.title:
        return SeatWords(title=_("The event is over"))
    if state.has_won:
        return _out(state, known)
    return replace(words, line=_("Well played, %(name)s!") % {"name": known.name})


WORDS: dict[PlayerState, Callable[[OwnPageState, Known], SeatWords]] = {
    PlayerState.WAITING: _waiting,
    PlayerState.SIGNED_UP: _registered,
    PlayerState.REGISTERED: _registered,
    PlayerState.EARLY: _registered,
    PlayerState.ARRIVING: _arriving,
    PlayerState.HERE: _here,
    **dict.fromkeys(AT_TABLE, _at_table),
    PlayerState.DECIDED: _next,
    PlayerState.BYE: _no_match(gettext_lazy("You have a bye")),
    PlayerState.RESTS: _no_match(gettext_lazy("No match in this round")),
    PlayerState.MISSED: _no_match(gettext_lazy("No match in this round")),
    PlayerState.BETWEEN: _next,
    PlayerState.UNSURE: _unsure,
    PlayerState.OUT: _out,
    PlayerState.SEAT_LOST: _shut_out,
    PlayerState.LOTS_LOST: _shut_out,
    PlayerState.TAKEN_OUT: _shut_out,
    PlayerState.LEFT: _left,
    PlayerState.DISQUALIFIED: _disqualified,
    PlayerState.OVER: _over,
}
