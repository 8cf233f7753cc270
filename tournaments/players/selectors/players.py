"""Players as the staff sees them, what each can do and late ones can join, and personal links."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from config.shown_once import derive_token, token_hash
from decks.decklists.selectors import stored_violations
from rules.errors import RuleError
from rules.events.lifecycle import OPEN, is_allowed
from rules.names import name_key
from rules.people.person_names import join_names
from rules.people.surnames import full_name
from rules.results import PlayerId, Winner
from tournaments.core.event_state import EventFacts
from tournaments.core.facts_cache import load_departures, read_facts
from tournaments.core.mapping import absence_marks
from tournaments.core.names import (
    attach_name_marks,
    compute_name_marks,
    load_name_marks,
    surname_sort_key,
)
from tournaments.core.permissions import DeskRights
from tournaments.core.replays import open_round_ordinal
from tournaments.core.rows import AnyEntry
from tournaments.models import Entry, Event, Match, PersonalLink, Round, Stage
from tournaments.models.play import matches_with_players
from tournaments.players.selectors.returns import (
    JoinableMatch,
    accepts_late_players,
    find_joinable_matches,
    rejoin_state,
)

TONES = {
    Entry.Status.REGISTERED: "neutral",
    Entry.Status.WAITING: "info",
    Entry.Status.CHECKED_IN: "good",
    Entry.Status.WITHDRAWN: "warn",
    Entry.Status.DISQUALIFIED: "bad",
}
FILTERS = ("no-list", "illegal", "not-here", "waiting")


@dataclass(frozen=True, slots=True, kw_only=True)
class PlayerRow:
    """A player in the staff's table.

    ``status`` is a label, ``tone`` its CSS class, ``told`` whether to display it. ``deck`` is "",
    "missing", "illegal" or "legal", ``errors`` the number of its errors. ``is_playing``: their
    match is undecided; ``gone``: dropped or disqualified. ``drop_now`` is the label of the button
    that drops them at once, "" without button.
    """

    entry: Entry
    status: str
    tone: str
    deck: str
    errors: int
    has_link: bool
    can_check_in: bool
    can_undo_check_in: bool
    drop_now: str
    is_playing: bool
    gone: bool
    told: bool

    @property
    def players(self) -> tuple[Entry, ...]:
        """Return the players of the row."""
        return (self.entry,)

    @property
    def mark(self) -> str:
        """Return the word for the row in links to parts of the list."""
        return str(self.entry.number)


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterTab:
    """A filter of the table of players, and the number of players that it shows."""

    key: str
    label: str
    count: int


def players_table_context(event: Event, chosen: str = "") -> dict[str, Any]:
    """Return {"rows", "tabs", "chosen"} for the table of players, by number.

    ``chosen`` is a key of ``FILTERS``, "" for all. One query, three while the event is running, and
    those of the facts if a player has dropped.
    """
    entries = tuple(_entries(event))
    marks = compute_name_marks(entries)
    entries = load_departures(event, attach_name_marks(entries, marks))
    arrives = not is_played_out(event)
    running = event.state == Event.State.RUNNING and arrives
    playing = matches_in_play(event, marks) if running else {}
    rows = [_row(event, entry, playing, arrives=arrives) for entry in entries]
    labels = {
        "no-list": _("Decklist missing"),
        "illegal": _("Decklist illegal"),
        "not-here": _("Not here yet"),
        "waiting": _("Waiting list"),
    }
    by_filter = {key: [row for row in rows if _is_in(row, key)] for key in FILTERS}
    tabs = [FilterTab(key="", label=_("All"), count=len(rows))]
    tabs += [
        FilterTab(key=key, label=labels[key], count=len(part))
        for key, part in by_filter.items()
        if (part and (arrives or key != "not-here")) or key == chosen
    ]
    chosen = chosen if chosen in FILTERS else ""
    return {"rows": tuple(by_filter.get(chosen, rows)), "tabs": tuple(tabs), "chosen": chosen}


def accepts_late_entries(event: Event) -> bool:
    """Return whether a new player can enter after the start.

    The queries are those of the facts, none before the start.
    """
    running = event.state == Event.State.RUNNING
    return running and accepts_late_players(read_facts(event, for_staff=True))


def is_played_out(event: Event) -> bool:
    """Return whether the event is finished or its last stage closed.

    Nobody enters or drops any more then. One query while the event is running.
    """
    if event.state != Event.State.RUNNING:
        return event.state == Event.State.FINISHED
    return not event.stages.exclude(state=Stage.State.CLOSED).exists()


def player_row(event: Event, number: int) -> PlayerRow | None:
    """Return one player's row of the staff's table, None if unknown.

    Two queries, four while the event is running.
    """
    entry = _entries(event).filter(number=number).first()
    if entry is None:
        return None
    marks = load_name_marks(event)
    load_departures(event, attach_name_marks((entry,), marks))
    arrives = not is_played_out(event)
    running = event.state == Event.State.RUNNING and arrives
    return _row(event, entry, matches_in_play(event, marks) if running else {}, arrives=arrives)


def matches_in_play(event: Event, marks: Mapping[int, str]) -> dict[int, Match]:
    """Return {entry primary key: match} of undecided matches in published rounds.

    ``marks`` are name marks by player number (`compute_name_marks`). One query.
    """
    playing = matches_with_players(
        round__event=event,
        round__state=Round.State.PUBLISHED,
        group__stage__state=Stage.State.OPEN,
        state__in=(Match.State.OPEN, Match.State.REPORTED, Match.State.DISPUTED),
    )
    for match in playing:
        attach_name_marks(match.players, marks)
    return {player.pk: match for match in reversed(playing) for player in match.players}


def drop_button_label(entry: Entry, match: Match | None) -> str:
    """Return the label of the button that drops a player now.

    It says who wins their match, or how many play on. ``match`` is the player's from
    ``matches_in_play``.
    """
    others = []
    if match is not None and match.state == Match.State.OPEN:
        gone = {seat - 1 for seat, _mark in absence_marks(match)}
        at_table = enumerate(match.players)
        others = [each for at, each in at_table if at not in gone and each != entry and each.plays]
    if match is None or not others:
        return _("Drop now")
    if len(others) > 1:
        return _("Drop now: %(count)s players continue") % {"count": len(others)}
    values = {"name": others[0].display_name, "table": match.plays_at or match.number}
    return _("Drop now: %(name)s wins at table %(table)s") % values


def players_with_same_name(entry: Entry) -> tuple[Entry, ...]:
    """Return the event's other players with the same normalised name; one query."""
    same = entry.event.entries.filter(name_key=entry.name_key).exclude(pk=entry.pk)
    return tuple(same.order_by("number"))


def unclaimed_namesake(event: Event, sent: Mapping[str, str]) -> Entry | None:
    """Return the player with a given name if nobody has signed in as them, else None.

    ``sent`` has ``name`` and ``surname``. None if phones can't join the event. One query.
    """
    if not event.takes_phones:
        return None
    key = name_key(full_name(sent["name"], sent["surname"]))
    players = event.entries.joinable().filter(name_key=key).with_holders()
    return next((entry for entry in players if not entry.held), None)


def _entries(event: Event) -> QuerySet[Entry]:
    found = event.entries.select_related("submission__decklist").with_links()
    return found.defer(
        "submission__decklist__raw", "submission__decklist__text", "submission__decklist__deck"
    ).order_by("number")


def _row(event: Event, entry: Entry, playing: Mapping[int, Match], *, arrives: bool) -> PlayerRow:
    deck, errors = "", 0
    if event.decklists != Event.Decklists.OFF:
        if entry.submission is None:
            deck = "missing"
        else:
            decklist = entry.submission.decklist
            deck = "legal" if decklist.legal else "illegal"
            errors = sum(item.severity == "error" for item in stored_violations(decklist))
    can_drop = event.plan is not None and arrives and entry.plays
    return PlayerRow(
        entry=entry,
        status=entry.get_status_display(),
        tone=TONES[Entry.Status(entry.status)],
        deck=deck,
        errors=errors,
        has_link=entry.has_link,
        can_check_in=arrives and is_allowed("entry", entry.status, "check_in"),
        can_undo_check_in=arrives and is_allowed("entry", entry.status, "undo_check_in"),
        is_playing=entry.pk in playing,
        drop_now=drop_button_label(entry, playing.get(entry.pk)) if can_drop else "",
        gone=not entry.plays and entry.status != Entry.Status.WAITING,
        told=not entry.plays or (event.plan is None and entry.status == Entry.Status.CHECKED_IN),
    )


def _is_in(row: PlayerRow, key: str) -> bool:
    match key:
        case "no-list":
            return row.deck == "missing" and row.entry.plays
        case "illegal":
            return row.deck == "illegal" and row.entry.plays
        case "not-here":
            return row.entry.status == Entry.Status.REGISTERED
        case _:
            return row.entry.status == Entry.Status.WAITING


def find_valid_link(token: str) -> PersonalLink | None:
    """Return the valid personal link with this token, or None; one query."""
    live = PersonalLink.objects.filter(token_hash=token_hash(token), revoked_at__isnull=True)
    return live.select_related("entry").first()


def find_revoked_link(token: str) -> PersonalLink | None:
    """Return the revoked personal link with this token, or None; one query."""
    ended = PersonalLink.objects.filter(token_hash=token_hash(token), revoked_at__isnull=False)
    return ended.select_related("entry__event").first()


def find_revoked_link_by_id(event: Event, link_id: int | None) -> PersonalLink | None:
    """Return an event's revoked personal link by primary key, or None; one query."""
    if link_id is None:
        return None
    ended = PersonalLink.objects.filter(pk=link_id, revoked_at__isnull=False, entry__event=event)
    return ended.select_related("entry").first()


def has_opened_link(ended: PersonalLink) -> bool:
    """Return whether the player of a revoked link opened a valid one; one query."""
    live = PersonalLink.objects.filter(entry_id=ended.entry_id, revoked_at__isnull=True)
    return live.filter(unopened=False).exists()


def derived_link_tokens(event: Event, secret: str) -> dict[Entry, str]:
    """Return {entry: token} of the valid links that ``make_links`` created.

    ``secret`` is what it returned. Players are ordered by surname. Three queries.
    """
    entries = sorted(event.entries.playing(), key=surname_sort_key)
    attach_name_marks(entries, load_name_marks(event))
    tokens = {entry: derive_token(secret, event.pk, entry.number) for entry in entries}
    hashes = {entry: token_hash(token) for entry, token in tokens.items()}
    live = PersonalLink.objects.filter(entry__event=event, revoked_at__isnull=True)
    known = set(live.filter(token_hash__in=hashes.values()).values_list("token_hash", flat=True))
    return {entry: token for entry, token in tokens.items() if hashes[entry] in known}


def latest_link_by_organiser(entry: Entry) -> PersonalLink | None:
    """Return a player's latest link if it was created by an organiser or revoked.

    Else None. One query.
    """
    latest = entry.links.order_by("-pk").select_related("by").first()
    by_organiser = latest is not None and (latest.revoked_at or latest.by_id or latest.by_name)
    return latest if by_organiser else None


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusChanges:
    """The changes of a player's status that the reader may make now.

    ``withdraw`` is a drop, ``come_back`` the return of a dropped or disqualified player.
    """

    withdraw: bool
    disqualify: bool
    come_back: bool

    def __bool__(self) -> bool:
        return self.withdraw or self.disqualify or self.come_back


def status_changes(
    event: Event, entry: Entry, rights: DeskRights, *, played_out: bool
) -> StatusChanges:
    """Return the changes of status that the reader may make to a player.

    ``rights`` are the reader's. Players can drop or rejoin unless all is played (``played_out``); a
    disqualification is possible until the event is finished. No query, those of the facts for a
    dropped player.
    """
    status = entry.status
    moves = is_allowed("event", event.state, "move_player")
    back = rights.run and status == Entry.Status.WITHDRAWN and not played_out
    if back:
        back = rejoin_state(read_facts(event, for_staff=True), entry) in OPEN
    reinstated = rights.rule and is_allowed("entry", status, "reinstate")
    return StatusChanges(
        withdraw=moves
        and not played_out
        and rights.run
        and is_allowed("entry", status, "withdraw"),
        disqualify=moves and rights.rule and is_allowed("entry", status, "disqualify"),
        come_back=moves and (back or reinstated),
    )


MOST_OFFERED = 3


class JoinOffer(NamedTuple):
    """A button offering a match that a player can join.

    ``value`` is the form value, ``button`` the label, ``before`` the text in front of it.
    ``again``: the players have met or should not meet. ``minutes`` have passed since the round
    began.
    """

    value: str
    button: str
    before: str
    again: bool
    minutes: int


class JoiningPlayer(NamedTuple):
    """A player who could join the round in play, and the matches on offer."""

    entry: AnyEntry
    offers: tuple[JoinOffer, ...]


def joinable_matches(event: Event, other: Entry | None = None) -> tuple[JoinOffer, ...]:
    """Return the matches on offer to a player who could join now, best first.

    ``other`` is the player, None for a new one. The queries are those of the facts in play.
    """
    if event.state != Event.State.RUNNING:
        return ()
    return match_offers(read_facts(event, for_staff=True), other)


def joining_players(facts: EventFacts, entries: Iterable[AnyEntry]) -> tuple[JoiningPlayer, ...]:
    """Return waiting or returning players, each with the matches on offer; no query."""
    return tuple(JoiningPlayer(entry, match_offers(facts, entry)) for entry in entries)


def match_offers(facts: EventFacts, other: AnyEntry | None = None) -> tuple[JoinOffer, ...]:
    """Return at most ``MOST_OFFERED`` matches that a player can join; no query.

    ``other`` is the player, None for a new one. Rematches come last; there are none once the round
    is over.
    """
    stage = facts.open_stage
    if stage is None or not open_round_ordinal(stage):
        return ()
    found = (
        one for one in find_joinable_matches(facts) if other is None or one.can_be_joined_by(other)
    )
    made = (offer for one in found if (offer := _offer(one, other)) is not None)
    return tuple(sorted(made, key=lambda offer: offer.again)[:MOST_OFFERED])


def _offer(found: JoinableMatch, other: AnyEntry | None) -> JoinOffer | None:
    """Return what is offered to ``other``, None where no table is free; no query."""
    try:
        table = found.table_with(other.number, other.fixed_table) if other else found.table_with()
    except RuleError:
        return None
    warning = _warning(found, other.number) if other and len(found.players) == 1 else ""
    return JoinOffer(
        value=f"{found.match.pk}:{'-'.join(map(str, found.numbers))}",
        button=_button(found, table),
        before=" ".join(filter(None, (_lost(found), warning))),
        again=bool(warning),
        minutes=found.minutes,
    )


def _button(found: JoinableMatch, table: int) -> str:
    if len(found.players) > 1:
        words = _("Add to table %(table)s (players: %(count)s)")
        return words % {"table": table, "count": len(found.players)}
    words = _("Play %(name)s at table %(table)s")
    return words % {"name": join_names(found.players), "table": table}


def _lost(found: JoinableMatch) -> str:
    """Return what the player loses who had the round without an opponent, "" for nothing."""
    decision, points = found.match.decision, found.stage.state.points
    if len(found.players) > 1 or decision is None or decision.winner == Winner.NONE:
        return ""
    made, _rest = points.by_winner[Winner(decision.winner)]
    values = {"name": join_names(found.players), "points": Fraction(made, points.parts)}
    return _("%(name)s loses the bye (points: %(points)s).") % values


def _warning(found: JoinableMatch, number: PlayerId) -> str:
    """Return why rules would not pair somebody with the one player of a match, "" if they would."""
    pair = {number, *found.numbers}
    if pair in found.stage.state.rounds_apart[-1]:
        return _("These players should be kept apart.")
    for item in found.stage.regular_rounds:
        if any(
            pair <= {found.facts.entries_by_pk[key].number for key in match.seats}
            for match in found.stage.matches_of(item)
        ):
            both = join_names((*found.players, found.facts.entries[number]))
            where = _("Round %(number)s") % {"number": item.ordinal}
            met = _("Already met.")
            return f"{both} · {where}: {met}"
    return ""
