"""An event with words of their own in all that is written of it, and the twelve who ask for it.

Safety notes, Who sees what. A draft's table, a penalty and its note, a deck check's note, a call,
a staff note, a list, addresses of people: each holds words or a number that nothing else holds.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib.auth import SESSION_KEY
from django.core.cache import cache
from django.db.models import Q
from django.test import Client
from django.urls import reverse

from accounts.models import User
from rules.events.questions import TEXT, Question
from tests import factories as make
from tests.around import STAFF
from tests.canary_event import READ, SEATED, CanaryEvent, begun, card, former, leader, note
from tests.canary_event import READERS as OF_LISTS
from tests.crawling import everything
from tests.site_addresses import PARTS
from tournaments.checks import services as check_ticks
from tournaments.clock import services as extensions
from tournaments.core.permissions import Actor
from tournaments.drafts.services import ChangeRequest, change_draft
from tournaments.judging import services as calls
from tournaments.judging import services as notes
from tournaments.models import Entry, Event, Match, TokenScope
from tournaments.penalties import services as penalties
from tournaments.players.services import contacts, entries
from tournaments.players.services import entries as answers
from tournaments.players.services import entries as links
from tournaments.results.services import reports, results
from tournaments.rounds import services as rounds
from tournaments.staff import services as invitations
from tournaments.staff.services import create_event_token

READERS = (
    *("anonymous", "stranger", "foreign", "foreign token", "judge", "scorekeeper", "head_judge"),
    *("organiser", "player", *SEATED),
)


@dataclass(frozen=True)
class Canary:
    """Words that stand in one place: who may find them, and who must."""

    words: str
    may: frozenset[str]
    must: frozenset[str] = frozenset({"organiser"})

    def told(self, content: bytes) -> bool:
        """Say whether an answer holds the words, whatever their capitals."""
        return stands_in(self.words, content)


def stands_in(words: str, content: bytes) -> bool:
    """Say whether words stand in an answer by themselves, whatever their capitals."""
    if words.lower().encode() not in content.lower():
        return False  # a search with boundaries takes fifty times as long
    alone = rb"(?<!\w)%s(?!\w)" % re.escape(words.encode())
    return re.search(alone, content, re.IGNORECASE) is not None


OWN = frozenset({"owner", "player"})  # player 1, by a personal link and by an account
NOBODY: frozenset[str] = frozenset()
ORGANISER = frozenset({"organiser"})
DRAFT = Canary("31337", STAFF)
THROWN_AWAY = Canary("31338", STAFF, NOBODY)
FOUND = {
    "penalty": Canary("zibibbo infrazione", STAFF | OWN),
    "note of a penalty": Canary("zibibbo nota penale", STAFF),
    "note of a check": Canary("zibibbo nota mazzo", STAFF),
    "call": Canary("zibibbo chiamata", STAFF | OWN | {"opponent"}),
    "minutes": Canary("zibibbo minuti", STAFF, NOBODY),
    "staff note": Canary("zibibbo appunto", STAFF),
    "answer": Canary("zibibbo risposta", STAFF | OWN, ORGANISER | OWN),
    "contact": Canary("zibibbo-contatto@example.org", ORGANISER | OWN, ORGANISER | OWN),
    "membership": Canary("zibibbo-tessera-7", ORGANISER | OWN, ORGANISER | OWN),
    "list": Canary(card(1), frozenset(OF_LISTS) | OWN, ORGANISER | OWN),
    "list of before": Canary(former(1), frozenset(OF_LISTS) | OWN),
    "list that was begun": Canary(begun(1), OWN, OWN),
    "draft thrown away": THROWN_AWAY,
    "address of a player": Canary(
        "zibibbo-giocatore@example.org", ORGANISER | {"player"}, frozenset({"player"})
    ),
    "address of a judge": Canary("zibibbo-giudice@example.org", ORGANISER | {"judge"}),
    "address of somebody invited": Canary("zibibbo-invitato@example.org", ORGANISER),
    "address of a stranger": Canary("zibibbo-altrove@example.org", frozenset({"stranger"}), NOBODY),
}
LATER = {
    "note of a report": Canary("zibibbo rapporto", STAFF | OWN, NOBODY),
    "reason of a correction": Canary("zibibbo correzione", STAFF),
}
"""What is written once the first round is played."""
CLOSED_LISTS = [leader(1), note(1)]


class Matrix(CanaryEvent):
    """An event of four with canaries in all that is written beside the lists, and in these."""

    def __init__(self) -> None:
        super().__init__("registration")
        self.prepare()
        self.enter("drafted")
        self.enter("closed")
        self.tokens: dict[str, str] = {}
        self.write()
        elsewhere = make.organiser()
        foreign = make.open_event(elsewhere)
        token = create_event_token(event=foreign, level=TokenScope.Level.MANAGE, by=elsewhere)
        self.browsers["foreign token"] = Client(headers={"authorization": f"Token {token}"})

    def fresh(self) -> Event:
        """Return the event as it is stored now."""
        return Event.objects.get(pk=self.event.pk)

    def own(self) -> tuple[Entry, Match]:
        """Return player 1 and their match of the last round."""
        one = self.event.entries.get(number=1)
        of_one = Match.objects.filter(Q(match_seats__entry=one), round__event=self.event)
        return one, of_one.select_related("round__event").latest("round__ordinal")

    def write(self) -> None:
        """Put a canary into each place, by the services."""
        one, match = self.own()
        person = make.user("zibibbo-giocatore@example.org")
        self.show(person)
        self.browsers["player"] = Client(headers={"accept-language": "en"})
        self.browsers["player"].force_login(person)
        rename(self.browsers["judge"], "zibibbo-giudice@example.org")
        rename(self.browsers["stranger"], "zibibbo-altrove@example.org")
        words = {"infraction": "Zibibbo Infrazione", "note": "Zibibbo Nota Penale"}
        penalties.give_penalty(entry=one, level="warning", by=self.by, **words)
        check = self.event.deck_checks.get(entry=one)
        check_ticks.finish_check(
            check=check,
            version=check.version,
            lines=[],
            points=[],
            outcome="clean",
            note="Zibibbo Nota Mazzo",
            by=self.by,
        )
        reason, seated = "Zibibbo Chiamata", Actor(entry=one)
        called = calls.call_judge(match=match, entry=one, reason=reason, by=seated)
        extensions.extend_time(match=match, minutes=5, reason="Zibibbo Minuti", by=self.by)
        notes.add_staff_note(match=match, text="Zibibbo Appunto", by=self.by)
        asked = Question(key="zz", kind=TEXT, text="Domanda?").as_json()
        Event.objects.filter(pk=self.event.pk).update(questions=[asked])
        answers.change_answers(entry=one, answers={"zz": "Zibibbo Risposta"}, by=self.by)
        numbers = {"konami": "Zibibbo-Tessera-7"}
        contacts.change_contact(
            entry=one, email="zibibbo-contatto@example.org", memberships=numbers, by=self.by
        )
        self.parts |= {"call_id": called.pk, "match_id": match.pk}
        self.let_in()

    def unseated(self) -> Entry:
        """Return the player who is none of the readers."""
        return self.event.entries.exclude(number__in=self.numbers.values()).get()

    def let_in(self) -> None:
        """Make each link and token that lets somebody in."""
        event = self.fresh()
        invited = {"email": "zibibbo-invitato@example.org", "role": "judge"}
        level = TokenScope.Level.READ
        self.tokens = {
            "personal link": links.make_link(entry=self.unseated(), by=self.by),
            "invitation": invitations.offer_role(event=event, by=self.by, **invited).token,
            "token": create_event_token(event=event, level=level, by=self.by),
        }

    def draft(self) -> None:
        """Play the round; throw a draft of the next away, make another with a table of its own."""
        one, match = self.own()
        claim = make.Claim(games=("a", "a"), note="Zibibbo Rapporto")
        reports.report_result(match=match, claim=claim, by=Actor(entry=one))
        make.play_round(self.fresh().rounds.get(), self.by)
        self.at_table(int(THROWN_AWAY.words))
        rounds.delete_last_round(event=self.fresh(), ordinal=2, by=self.by)
        self.at_table(int(DRAFT.words))

    def at_table(self, table: int) -> None:
        """Draft the second round with the player who asks for nothing at a table."""
        one = self.unseated()
        entries.change_entry(entry=one, changes={"fixed_table": table}, by=self.by)
        rounds.draft_round(event=self.fresh(), expected_round=2, by=self.by)
        one.refresh_from_db()
        entries.change_entry(entry=one, changes={"fixed_table": None}, by=self.by)

    def finish(self) -> None:
        """Put the table right, publish the draft, correct a result and play to the end."""
        far = Match.objects.get(round__event=self.event, table=int(DRAFT.words))
        asked = ChangeRequest(action="table", matches=(far.pk,), table=2)
        change_draft(event=self.fresh(), ordinal=2, asked=asked, by=self.by)
        item = rounds.publish_round(event=self.fresh(), ordinal=2, by=self.by)
        make.play_round(item, self.by)
        first = self.fresh().rounds.get(ordinal=1).matches.first()
        results.correct_result(
            match=first,
            version=first.version,
            claim=make.Claim(games=("b", "b")),
            reason="Zibibbo Correzione",
            by=self.by,
        )
        self.event = make.play_event(self.fresh(), self.by)

    def everywhere(self) -> Iterator[str]:
        """Yield every address of the site."""
        ours = [name for name in READ if name.startswith("tournaments")]
        yield from self.addresses(ours, (1, self.numbers["opponent"]), ("text",))
        yield from (reverse(name, args=PARTS.get(name)) for name in READ if name not in ours)


def rename(browser: Client, address: str) -> None:
    """Give the person who is signed in another address."""
    User.objects.filter(pk=browser.session[SESSION_KEY]).update(email=address)


def found_by(around: Matrix, reader: str, canaries: dict[str, Canary]) -> dict[str, list[str]]:
    """Return where a reader finds each of the canaries."""
    cache.clear()
    found: dict[str, list[str]] = {name: [] for name in canaries}
    for address in dict.fromkeys(around.everywhere()):
        content = everything(around.browsers[reader].get(address))
        for name, canary in canaries.items():
            if canary.told(content):
                found[name].append(address)
    return found


def leaks(around: Matrix, reader: str, canaries: dict[str, Canary]) -> list[str]:
    """Return each canary that a reader finds and may not, or must find and does not."""
    wrong = []
    for name, where in found_by(around, reader, canaries).items():
        if where and reader not in canaries[name].may:
            wrong.append(f"{name} in {where}")
        if not where and reader in canaries[name].must:
            wrong.append(f"{name} nowhere")
    return wrong
