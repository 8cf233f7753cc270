"""An event in which every list holds cards that nothing else holds, in each of its states.

Source: safety notes, Who sees what. :meth:`CanaryEvent.reads` and :meth:`CanaryEvent.due` are its
table of lists.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from itertools import product

from django.db.models import Q
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from decks.decklists.samples import sample_deck
from tests import factories as make
from tests.around import Around
from tests.crawling import refusing, routes
from tests.site_addresses import PARTS
from tournaments.decklists import services as decklists
from tournaments.decklists.services import hide_decklists, publish_decklists
from tournaments.events import services as events
from tournaments.log.services import record
from tournaments.lots import services as draws
from tournaments.models import DeckCheck, DeckDraft, Event, Match, Penalty
from tournaments.models.tables import clear_row_marks
from tournaments.penalties.services import PENALTY_GIVEN
from tournaments.player_pages.services import publish_profile
from tournaments.players.services import entries
from tournaments.rounds import services as rounds
from tournaments.snapshots.services import take_snapshot
from tournaments.starting import services as starting


def named(*names: str) -> tuple[str, ...]:
    """Return the full names of pages of events."""
    return tuple(f"tournaments:{name}" for name in names)


PLAYERS = (1, 2, 3, 4)
SOME = (1, 3)
KINDS = ("text", "csv", "xlsx", "json", "upload")
TAKING: dict[str, list[frozenset[str]]] = defaultdict(list)
for _name, _needs in routes():
    TAKING[_name].append(_needs)
READ = [_name for _name in TAKING if _name not in refusing("GET")]
"""The addresses that can be asked for; :data:`TAKING` has those that only take forms too."""
STAGE = "group"
STATES = (
    *("registration", "locked", "drafted", "closed", "leaders", "held", "opponents", "all"),
    *("finished", "published", "taken back", "reopened"),
)
WHOLE = {  # crawled to the last address; otherwise where lists are near
    "opponents": {"scorekeeper", "opponent", "other"},
    "finished": {"anonymous", "owner", "other"},
}
SHARPEST = {"opponents": {"other"}}
"""The part of :data:`WHOLE` that ``make test`` asks for; ``test_canary_matrix`` the end."""
NEAR = named(
    *("event", "players", "pairings", "standings", "workbook", "decklists", "decklist"),
    *("decklist-file", "played", "me", "me-now", "my-deck"),
)
LISTS = named("decklists", "decklist", "played")
READERS = {"judge", "head_judge", "organiser"}
SEATED = ("owner", "opponent", "other")
FEW = {"registration", "opponents", "published"}
"""The states in which those without any right are asked for too; else one of them will do."""
APART = {"registration", "opponents", "all", "published"}
"""The states in which a player's opponent is asked for beside another player."""


def card(number: int) -> str:
    """Return the card that only this player's list has."""
    return f"Zibibbo Carta{number}"


def leader(number: int) -> str:
    """Return the Leader that only this player's list has."""
    return f"Zibibbo Capo{number}"


def former(number: int) -> str:
    """Return the card of the list that was handed in before."""
    return f"Zibibbo Prima{number}"


def begun(number: int) -> str:
    """Return the card of the list that was begun and not handed in."""
    return f"Zibibbo Bozza{number}"


def note(number: int) -> str:
    """Return what the player wrote beside the list."""
    return f"Zibibbo Nota{number}"


def a_list(own_leader: str, own_card: str, number: int) -> str:
    """Return a legal list with a Leader and a card of its own, and a note beside it."""
    lines = sample_deck("creatures-of-exo", number).splitlines()
    lines[1] = f"1 {own_leader} {{Leader}}"
    lines[4] = f"2 {own_card} {{Creatura}}"
    return "\n".join([*lines, f"# {note(number)}"])


class CanaryEvent(Around):
    """An event of four, everybody with canaries, taken from state to state."""

    def made(self, state: str) -> Event:
        """Return the event with registration open and all lists handed in."""
        event = make.open_event(
            self.by,
            format="creatures-of-exo",
            formula="single-group",
            decklists=Event.Decklists.REQUIRED,
        )
        for entry in make.players(event, len(PLAYERS), self.by):
            n = entry.number
            for own in (former(n), card(n)):
                text = a_list(leader(n) if own == card(n) else former(n), own, n)
                decklists.submit_decklist(entry=entry, text=text, by=self.by)
            DeckDraft.objects.update_or_create(entry=entry, defaults={"text": f"1 {begun(n)}"})
        return event

    def prepare(self) -> None:
        """Let everybody in; before the pairings nobody knows who will be whose opponent."""
        self.numbers = {"owner": 1, "opponent": 2, "other": 3}
        self._sit()
        entry = self.event.entries.get(number=1)
        self.parts["token"] = "x" * 32
        self.parts["penalty_id"] = Penalty.objects.create(
            event=self.event, entry=entry, level="warning", infraction="Lenta"
        ).pk
        record(Event.objects.get(pk=self.event.pk), PENALTY_GIVEN, by=self.by)
        self.parts["check_id"] = DeckCheck.objects.create(
            event=self.event, entry=entry, submission=entry.submission
        ).pk
        kept = take_snapshot(self.event, "round.discarded", by=self.by)
        self.parts |= {"snapshot_id": kept.pk, "extension_id": 1, "a": 1, "b": 2, "person": 1}
        self.show(make.user())

    def show(self, person: User) -> None:
        """Make player 1 a person's, who chooses to be shown across events."""
        self.event.entries.filter(number=1).update(user=person)
        publish_profile(user=person)
        person.refresh_from_db()
        self.parts["key"] = person.person_key or ""

    def _sit(self) -> None:
        for role, number in self.numbers.items():
            entry = self.event.entries.get(number=number)
            token = entries.make_link(entry=entry, by=self.by)
            self.browsers[role] = Client(headers={"accept-language": "en"})
            self.browsers[role].get(reverse("tournaments:open-link", args=[token]))

    def enter(self, state: str) -> None:
        """Take the event into the next state; what was set by hand is told by no line."""
        clear_row_marks()
        event, by = Event.objects.get(pk=self.event.pk), self.by
        setting: dict[str, object] = {"open_lists": [], "show_leaders": False, "held_lists": None}
        match state:
            case "locked":
                setting = {"decklist_deadline": timezone.now() - timedelta(hours=1)}
            case "drafted":  # everything is open, but nothing is published yet
                draw = draws.draw_start_order(event=event, seed="canary", by=by)
                starting.start_event(event=event, draw_number=draw.number, by=by)
                rounds.draft_round(event=event, expected_round=1, by=by)
                setting = {"open_lists": [f"{STAGE}:all"], "show_leaders": True}
            case "closed":
                rounds.publish_round(event=event, ordinal=1, by=by)
                self._pair()
            case "leaders":
                setting["show_leaders"] = True
            case "held":
                setting |= {"open_lists": [f"{STAGE}:all"], "held_lists": 1}
            case "opponents":
                setting["open_lists"] = [STAGE]
            case "all":
                setting["open_lists"] = [f"{STAGE}:all"]
            case "finished":  # open lists end with the event
                make.play_round(event.rounds.get(), by)
                make.play_event(event, by)
                setting["open_lists"] = [f"{STAGE}:all"]
            case "published":
                publish_decklists(event=event, by=by)
            case "taken back":
                hide_decklists(event=event, by=by)
            case "reopened":  # what was published stays so
                publish_decklists(event=event, by=by)
                events.change_event_state(event=event, action="reopen", by=by)
        Event.objects.filter(pk=event.pk).update(**setting)
        clear_row_marks()
        self.event = Event.objects.get(pk=event.pk)

    def _pair(self) -> None:
        own = Match.objects.get(Q(match_seats__entry__number=1), round__event=self.event)
        opponent = next(player.number for player in own.players if player.number != 1)
        other = next(number for number in PLAYERS if number not in (1, opponent))
        self.numbers = {"owner": 1, "opponent": opponent, "other": other}
        self._sit()

    def reads(self, state: str, role: str, number: int) -> bool:
        """Say what the golden table says."""
        own = self.numbers.get(role)
        if role in READERS or own == number or state in ("published", "reopened"):
            return True
        if own is None or state not in ("opponents", "all"):
            return False
        return state == "all" or {own, number} in (
            {1, self.numbers["opponent"]},
            set(PLAYERS) - {1, self.numbers["opponent"]},
        )

    def due(self, state: str, role: str, number: int) -> int:
        """Return the status of a list's page."""
        if self.reads(state, role, number):
            return 200
        known = role == "scorekeeper" or (role in SEATED and state in ("opponents", "all"))
        return 403 if known else 404

    def addresses(
        self,
        names: Iterable[str],
        numbers: Iterable[int] = PLAYERS,
        kinds: Iterable[str] = ("text", "xlsx"),
    ) -> Iterator[str]:
        """Yield the addresses of the event, of players and of two matches, by full name."""
        matches = list(Match.objects.filter(round__event=self.event).values_list("pk", flat=True))
        for name in names:
            for needs in TAKING[name]:
                many = {"number": numbers, "match_id": matches[:2] or [1], "kind": kinds}
                assert not needs - many.keys() - self.parts.keys(), f"no sample for {name}"
                values = [many.get(need, [self.parts.get(need)]) for need in sorted(needs)]
                for chosen in product(*values):
                    yield reverse(name, kwargs=dict(zip(sorted(needs), chosen, strict=True)))

    def asked(self, state: str, role: str, whole: Mapping[str, set[str]] = WHOLE) -> list[str]:
        """Return what a role asks for in a state, each address once; all where ``whole`` says.

        Each list is asked for as every kind of file where that is :data:`WHOLE`.
        """
        every = whole is WHOLE
        near = list(self.addresses(NEAR, kinds=("text", "xlsx") if every else ("text",)))
        near.append(self.address("workbook") + "?whole=1")
        if role not in whole.get(state, ()):
            return near
        ours = [name for name in READ if name.startswith("tournaments")]
        wide = self.addresses(ours, SOME, KINDS if every else ("text", "upload"))
        others = [reverse(name, args=PARTS.get(name)) for name in READ if name not in ours]
        far = others if role == "other" else []
        return list(dict.fromkeys([*near, *wide, *self.odd(), *far]))

    def odd(self) -> Iterator[str]:
        """Yield searches, orders and mistyped addresses."""
        for name in ("players", "pairings", "standings", "decklists", "manage-players", "log"):
            for asked in ("?search=Zibib", "?q=zibib", "?word=zibib", "?ordering=deck&page=2"):
                yield self.address(name) + asked
        for tail in ("99/", "0/", "x/", "1/pdf/", "1/text", "?format=json"):
            yield self.address("decklists") + tail
        yield f"/decks/{self.event.pk}/"
