"""A whole event with one player whose name stands wherever a name can stand.

``NAME`` is the player's, ``FORMER`` the one before it was corrected, ``ACCOUNT`` that of the
account; ``SURNAME`` alone stands in words about the player. ``WORDS`` are all that must be gone.
"""

import gzip
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import connection, models
from django.test import Client
from django.urls import reverse
from knox.models import AuthToken

from accounts.models import User
from decks.decklists.samples import sample_deck
from decks.models import HouseFormat
from rules.matches.match_rules import Claim
from rules.people.person_names import read_people
from tests import factories as make
from tournaments.checks import services as check_ticks
from tournaments.checks import services as checks
from tournaments.clock import services as extensions
from tournaments.core.permissions import Actor
from tournaments.decklists import services as decklists
from tournaments.events import services as events
from tournaments.judging import services as calls
from tournaments.judging import services as notes
from tournaments.keeping_apart import services as apart
from tournaments.lots import services as draws
from tournaments.models import Entry, Event, Match, SavedFormula, StaffRole
from tournaments.penalties import services as penalties
from tournaments.players.services import contacts, departures, entries, seeds
from tournaments.players.services import entries as answers
from tournaments.players.services import entries as links
from tournaments.players.services import entries as pasted
from tournaments.questions import services as questions
from tournaments.results.services import reports, results
from tournaments.rounds import services as discards
from tournaments.staff import services as staff
from tournaments.starting import services as starting
from tournaments.undo.selectors import find_redoable_undo, last_act
from tournaments.undo.services import redo, undo

NAME, FORMER, CLUB = "Zefirino Canarelli", "Zefirin Kanarello", "Voliera Pettirosso"
SURNAME, ACCOUNT, ADDRESS = "Canarelli", "Zeffiro Usignolo", "zeffiro@usignolo.example"
WORDS = ("zefirin", "canarelli", "kanarello", "pettirosso", "zeffiro", "usignolo")
SETTINGS = {"formula": "single-group", "format": "creatures-of-exo", "decklists": "required"}


def whole_event(by: Actor, user: User | None = None) -> Event:
    """Return a running event in which the player, number 2, has done everything and left."""
    event = make.open_event(by, about=f"Sfida {NAME} se puoi", fee=f"A {NAME}", **SETTINGS)
    make.players(event, 1, by)
    if user is None:
        pasted.add_entries(event=event, people=read_people(f"{FORMER}; {CLUB}"), by=by)
    else:
        entries.register(event=event, name=FORMER, club=CLUB, user=user, by=Actor(user=user))
    make.players_more(event, ("Bea", "Carlo", "Dora", "Elio"), by)
    own = event.entries.get(number=2)
    _before_start(event, own, by)
    _started(event, by)
    _first_round(event, own, by)
    _undone(event, by)
    return Event.objects.get(pk=event.pk)


def _before_start(event: Event, own: Entry, by: Actor) -> None:
    changes = {"name": NAME, "club": CLUB, "fixed_table": 2}
    entries.change_entry(entry=own, changes=changes, by=by)
    seeds.change_seeds(event=event, seeds={1: "2", 2: "1"}, by=by)
    apart.add_separated_pair(event=event, numbers=(1, 2), by=by)
    asked = questions.add_question(event=event, kind="text", text="Con chi?", by=by).questions
    for number, said in ((1, f"Con {NAME}"), (2, f"Lo sa {SURNAME}")):
        told = {asked[0]["key"]: said}
        answers.change_answers(entry=event.entries.get(number=number), answers=told, by=by)
    numbers = {"club": f"{SURNAME} 7"}
    address = f"zeffiro@{SURNAME}.example"
    contacts.change_contact(entry=own, email=address, memberships=numbers, by=by)
    links.make_link(entry=own, by=by)
    entries.check_in(entry=own, by=by)
    removed = entries.add_entry(event=event, name="Sbagliato", by=by)
    entries.remove_entry(entry=removed, by=by)
    for entry in event.entries.all():
        list_of = sample_deck(event.format, entry.number)
        text = f"{list_of}\n# Mazzo di {NAME}" if entry.number == 2 else list_of
        decklists.submit_decklist(entry=entry, text=text, by=by)
    upload = (f"{sample_deck(event.format, 3)}\n# {NAME}".encode(), f"{SURNAME}.txt")
    decklists.submit_decklist(entry=own, upload=upload, reason=f"Per {SURNAME}", by=by)
    decklists.store_draft(entry=own, text=f"# {NAME} prova", by=Actor(entry=own))


def _started(event: Event, by: Actor) -> None:
    order = list(event.entries.values_list("number", flat=True))
    words = {"witnesses": f"{NAME}, Uno", "note": f"Estratto da {NAME}"}
    drawn = draws.record_start_order(event=event, order=order, by=by, **words)
    starting.start_event(event=event, draw_number=drawn.number, by=by)
    make.next_round(event, by)
    discards.discard_round(event=event, ordinal=1, confirm="Round 1", by=by)  # leaves a snapshot
    make.next_round(event, by)


def _first_round(event: Event, own: Entry, by: Actor) -> None:
    match = _match_of(own)
    seated = Actor(entry=own)
    calls.call_judge(match=match, entry=own, reason=f"{SURNAME} ha un dubbio", by=seated)
    extensions.extend_time(match=match, minutes=5, reason=f"Colpa di {SURNAME}", by=by)
    notes.add_staff_note(match=match, text=f"{SURNAME} mescola male", by=by)
    notes.add_ruling(match=match, text=f"{NAME.upper()} riprende la mossa", by=by)
    events.store_rulings(
        event=event, rulings=f"Come per {NAME}", seen=events.text_fingerprint(""), by=by
    )
    notes.create_announcement(event=event, text="Canarelli Zefirino al banco", minutes=5, by=by)
    words = {"infraction": f"{SURNAME} in ritardo", "note": f"Parlato con {NAME}"}
    penalties.give_penalty(entry=own, level="warning", by=by, **words)
    check = checks.begin_player_check(entry=own, by=by)
    check_ticks.finish_check(
        check=check,
        version=check.version,
        lines=[],
        points=[],
        outcome="clean",
        note=f"Buste di {SURNAME}",
        by=by,
    )
    claim = Claim(games=("a",) * (match.best_of // 2 + 1))
    told_by = replace(claim, note=f"Da {SURNAME}")
    reports.report_result(match=match, claim=told_by, by=seated)
    match = _match_of(own)
    results.decide_result(match=match, version=match.version, claim=claim, by=by)
    make.play_round(event.rounds.get(ordinal=1), by)
    departures.withdraw(entry=own, reason=f"{NAME} ha il treno", by=by)


def _undone(event: Event, by: Actor) -> None:
    event = Event.objects.get(pk=event.pk)
    undo(event=event, expected=last_act(event).line.number, by=by)
    event = Event.objects.get(pk=event.pk)
    redo(event=event, expected=find_redoable_undo(event).number, by=by)


def _match_of(own: Entry) -> Match:
    played = models.Q(match_seats__entry=own)
    return Match.objects.select_related("round__event").filter(played).latest("pk")


def person() -> User:
    """Return somebody with an account, addresses, a token, a session, a role, and a format."""
    user = make.user(ADDRESS, name=ACCOUNT)
    EmailAddress.objects.create(user=user, email=ADDRESS, primary=True, verified=True)
    AuthToken.objects.create(user=user)
    kind = Authenticator.Type.RECOVERY_CODES
    Authenticator.objects.create(user=user, type=kind, data={"seed": ACCOUNT})
    browser = Client()
    browser.force_login(user)
    browser.get(reverse("profile"))
    slug = {"slug": "custom_usi", "name": f"Formula di {ACCOUNT}"}
    SavedFormula.objects.create(owner=user, **slug)
    house = {"slug": "thoom_casa", "base": "thoom", "name": f"Thoom di {ACCOUNT}"}
    HouseFormat.objects.create(owner=user, **house)
    kind = ContentType.objects.get_for_model(User)
    noted = {"object_id": str(user.pk), "object_repr": ACCOUNT, "action_flag": CHANGE}
    LogEntry.objects.create(user=user, content_type=kind, **noted)
    return user


def helped(event: Event, user: User, by: Actor) -> None:
    """Let somebody be a judge of an event, and lose the role."""
    staff.offer_role(event=event, email=user.email, role=StaffRole.Role.JUDGE, by=by)
    given = staff.give_role(event=event, email=user.email, role=StaffRole.Role.JUDGE, by=by)
    staff.remove_role(event=event, role_id=given.pk, by=by)
    staff.give_role(event=event, email=user.email, role=StaffRole.Role.SCOREKEEPER, by=by)


def told() -> Iterator[tuple[str, str]]:
    """Yield every value of every row of the database, with the name of its column."""
    for model in apps.get_models(include_auto_created=True):
        columns = [field.attname for field in model._meta.concrete_fields]
        for row in model._default_manager.values(*columns):
            for column, value in row.items():
                if isinstance(value, bytes | memoryview):
                    value = bytes(value)
                    value = gzip.decompress(value) if value[:2] == b"\x1f\x8b" else value
                    value = value.decode("utf-8", "replace")
                yield f"{model.__name__}.{column} {row.get('action', '')}", str(value)


def found_in_rows(*words: str) -> list[str]:
    """Return the columns in which one of the words stands."""
    return sorted({at for at, text in told() for word in words if word in text.casefold()})


def bytes_of_file() -> bytes:
    """Return the SQLite file as it lies on the disk after VACUUM and a checkpoint."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM")
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        cursor.execute("PRAGMA database_list")
        path = cursor.fetchone()[2]
    return b"".join(Path(f"{path}{ending}").read_bytes() for ending in ("", "-wal"))
