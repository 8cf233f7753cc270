"""What the box at the top of a player's page says, by the state of the page."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from rules.events.lifecycle import RejoinStatus
from rules.events.own_page import AT_TABLE, PlayerPageState, PlayerState
from tournaments.core.labels import final_place_label, rank_ordinal
from tournaments.personal.selectors.decisions import LoggedDrop

TABLE, SOON, NOW, PLACE = "table", "soon", "now", "place"
MOST_COUNTED = 8
"""Open tables that are counted; a page of a crowd does not change with each of more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageValues:
    """Values mentioned in the texts of a player's page; times are texts.

    Numbers are 0 and texts "" if they don't apply. ``next_round``: the next round that the player
    may play; ``first_table``: the round after their awarded byes; ``later``: the later stage that
    seats them; ``tables``: how many still play; ``ended``: their last round in a bracket;
    ``if_left``: how many ahead must drop for them to advance; ``decided``: the decision that
    excludes them; ``noted``: who recorded their drop; ``in_line``: their place on the waiting
    list, 0 if a place is free; ``moved_up``: in whose place they advance; ``seat_of``: who left a
    seat that may be theirs.

    ``started``: the event has; ``admits``: it takes late players; ``begun``: a round exists;
    ``held``: the standings are hidden; ``level``: a draw or tiebreaker match must decide their
    place, which is final if the stage ``is_last``.
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
    noted: LoggedDrop | None = None
    in_line: int = 0
    started: bool = False
    admits: bool = False
    moved_up: str = ""
    begun: bool = True
    held: bool = False
    level: bool = False
    is_last: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BoxTexts:
    """The texts of the box on a player's own page; ``figure`` is the large number in it.

    ``box`` is its kind: TABLE, SOON (a table may appear), NOW, PLACE or "". ``line_offline``
    replaces ``line`` in an offline copy.
    """

    box: str = ""
    figure: str = ""
    title: str = ""
    line: str = ""
    line_offline: str = ""


def box_texts(state: PlayerPageState, known: PageValues) -> BoxTexts:
    """Return the texts of the box on a player's own page; ``known`` are values to mention.

    At a table the template adds the opponent as title.
    """
    return WORDS[state.state](state, known)


def offline_table_text() -> str:
    """Return the line that replaces "your table appears here" in an offline copy."""
    return _("You are offline. Check the pairings posted at the venue.")


def _waiting(state: PlayerPageState, known: PageValues) -> BoxTexts:
    title = _("On the waiting list")
    if known.started:
        line = _("Ask at the desk.") if known.admits else _("Registration is closed.")
        return BoxTexts(title=title, line=line)
    if not known.in_line:
        return BoxTexts(title=_("A place has opened up for you"), line=_("Go to check-in."))
    line = _("Your place on the waiting list: %(number)s.") % {"number": known.in_line}
    return BoxTexts(title=title, line=line)


def _registered(state: PlayerPageState, known: PageValues) -> BoxTexts:
    return BoxTexts(title=_("You are registered"), line=known.begins)


def _arriving(state: PlayerPageState, known: PageValues) -> BoxTexts:
    return BoxTexts(title=_("Are you here?"), line=known.begins)


def _here(state: PlayerPageState, known: PageValues) -> BoxTexts:
    return _soon(_("Checked in"))


def _at_table(state: PlayerPageState, known: PageValues) -> BoxTexts:
    return BoxTexts(box=TABLE)


def _next(state: PlayerPageState, known: PageValues) -> BoxTexts:
    if known.level:
        title = _("You are tied") if known.is_last else _("You play on")
        return BoxTexts(box=SOON, title=title, line=_("Random draw or tiebreaker match"))
    title = _("You play on") if known.begun else _("Next match")
    if known.next_round:
        title = _next_match(_("Round %(number)s") % {"number": known.next_round})
    if known.first_table:
        return _byes_go_on(title, known)
    if known.later:
        line = f"{known.moved_up} {_next_match(known.later)}".strip()
        return BoxTexts(box=SOON, title=title, line=line)
    words = _soon(title)
    return replace(words, line=f"{known.moved_up} {words.line}".strip())


def _next_match(where: str) -> str:
    return ": ".join((_("Next match"), where))


def _no_match(title: Promise) -> Callable[[PlayerPageState, PageValues], BoxTexts]:
    def words(state: PlayerPageState, known: PageValues) -> BoxTexts:
        return _byes_go_on(str(title), known) if known.first_table else _soon(str(title))

    return words


def _byes_go_on(title: str, known: PageValues) -> BoxTexts:
    line = _next_match(_("Round %(number)s") % {"number": known.first_table})
    return BoxTexts(box=SOON, title=title, line=line)


def _soon(title: str) -> BoxTexts:
    line, offline = _("Your table will appear here automatically."), offline_table_text()
    return BoxTexts(box=SOON, title=title, line=line, line_offline=offline)


def _unsure(state: PlayerPageState, known: PageValues) -> BoxTexts:
    box = NOW if known.rank else ""
    title = _("Not decided yet")
    return BoxTexts(box=box, figure=known.rank, title=title, line=advancement_condition(known))


def advancement_condition(known: PageValues) -> str:
    """Return a sentence on what decides whether a player advances.

    For a player who has played all matches.
    """
    if known.held:
        return _("The latest standings aren’t published yet.")
    if known.next_round or known.tables > MOST_COUNTED:
        return _("This depends on other results.")
    if known.tables:
        return _("Tables still playing: %(count)s") % {"count": known.tables}
    if known.lots:
        return _("Random draw or tiebreaker match")
    return _("This will be decided when the stage closes.")


def _place(state: PlayerPageState, known: PageValues) -> BoxTexts:
    if state.places is None:
        return BoxTexts()
    first, last, shared = state.places
    title = final_place_label(first, last, shared=shared, field=known.field)
    if not state.place:
        return BoxTexts(title=title)
    return BoxTexts(box=PLACE, figure=rank_ordinal(first, shared=shared), title=title)


def _out(state: PlayerPageState, known: PageValues) -> BoxTexts:
    words = _place(state, known)
    title = words.title or _("You have no more matches")
    if known.seat_of:
        title = _("A place may have opened up for you")
        line = _("%(name)s has dropped and you are next in line. Ask at the desk.")
        return BoxTexts(title=title, line=line % {"name": known.seat_of})
    if known.if_left:
        return replace(words, title=title, line=_if_left(known))
    lines = [_("Well played, %(name)s!") % {"name": known.name}]
    if state.has_won:
        lines.insert(0, _("You won the event."))
    elif known.ended:
        lines.insert(0, _("Your last round: %(round)s.") % {"round": known.ended})
    return replace(words, title=title, line=" ".join(lines))


def _if_left(known: PageValues) -> str:
    words = ngettext(
        "You advance only if %(count)s player ahead of you drops.",
        "You advance only if %(count)s players ahead of you drop.",
        known.if_left,
    )
    return words % {"count": known.if_left}


def _shut_out(state: PlayerPageState, known: PageValues) -> BoxTexts:
    words = _place(state, known)
    lines = [known.decided, _if_left(known) if known.if_left else ""]
    title = words.title or _("You have no more matches")
    return replace(words, title=title, line=" ".join(filter(None, lines)))


def _left(state: PlayerPageState, known: PageValues) -> BoxTexts:
    words = _place(state, known)
    noted, title = known.noted, _("You have dropped")
    lines = [noted.words if noted else "", words.title]
    if noted and noted.taken_out:
        title = _("The staff removed you from this event")
        if noted.absent:
            title = _("The staff recorded you as a no-show")
        if state.returning is RejoinStatus.NOT_OFFERED:  # else what stands below says what to do
            lines.append(_("If this is wrong, ask at the desk."))
    return replace(words, title=title, line=" · ".join(filter(None, lines)))


def _disqualified(state: PlayerPageState, known: PageValues) -> BoxTexts:
    return BoxTexts(title=_("You have been disqualified"))


def _over(state: PlayerPageState, known: PageValues) -> BoxTexts:
    words = _place(state, known)
    if not words.title:
        return BoxTexts(title=_("The event is over"))
    if state.has_won:
        return _out(state, known)
    return replace(words, line=_("Well played, %(name)s!") % {"name": known.name})


WORDS: dict[PlayerState, Callable[[PlayerPageState, PageValues], BoxTexts]] = {
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
