"""Every address, every role, every state of an event: who gets what.

Safety notes, T01 and T07. An address that is missing from the tables fails the run.
"""

import logging
import re
from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from tests import factories as make
from tests.around import ROLES, STAFF, Around, tables
from tournaments.models import Match
from tournaments.permissions import Actor, Role
from tournaments.services import staff

pytestmark = pytest.mark.django_db

EVERYBODY = frozenset(ROLES)
RUN = STAFF - {"judge"}
DECKS = STAFF - {"scorekeeper"}
RULE = frozenset({"head_judge", "organiser"})
MANAGE = frozenset({"organiser"})
PLAYER = frozenset({"player"})
NOBODY: frozenset[str] = frozenset()  # the method does not exist

# name: (who may read it, who may send to it)
EVENT_PAGES = {
    "event": (EVERYBODY, NOBODY),
    "players": (EVERYBODY, NOBODY),
    "standings": (EVERYBODY, NOBODY),
    "prospects": (EVERYBODY, NOBODY),
    "formula": (EVERYBODY, NOBODY),
    "ranking": (EVERYBODY, NOBODY),
    "draws": (EVERYBODY, NOBODY),
    "pairings": (EVERYBODY, NOBODY),
    "clock": (EVERYBODY, NOBODY),
    "workbook": (EVERYBODY, NOBODY),
    "decklists": (DECKS, NOBODY),
    "decklist": (DECKS, NOBODY),
    "decklist-file": (DECKS, NOBODY),
    "played": (DECKS, NOBODY),
    "lists-publish": (NOBODY, MANAGE),
    "lists-hide": (NOBODY, MANAGE),
    "register": (EVERYBODY, EVERYBODY),
    "me": (PLAYER, NOBODY),
    "me-now": (PLAYER, NOBODY),
    "my-deck": (PLAYER, PLAYER),
    "my-deck-check": (NOBODY, PLAYER),
    "my-deck-mend": (NOBODY, PLAYER),
    "my-deck-draft": (NOBODY, PLAYER),
    "my-deck-draft-drop": (NOBODY, PLAYER),
    "my-deck-versions": (PLAYER, NOBODY),
    "my-check-in": (NOBODY, PLAYER),
    "my-drop": (PLAYER, PLAYER),
    "my-report": (PLAYER, PLAYER),
    "my-confirm": (NOBODY, PLAYER),
    "my-call": (NOBODY, PLAYER),
    "desk": (STAFF, STAFF),
    "desk-tables": (STAFF, NOBODY),
    "desk-quick": (NOBODY, STAFF),
    "desk-save": (NOBODY, STAFF),
    "desk-draft": (NOBODY, RUN),
    "desk-finish": (NOBODY, MANAGE),
    "desk-round": (STAFF, NOBODY),
    "desk-publish": (NOBODY, RUN),
    "desk-change": (NOBODY, RUN),
    "desk-discard": (MANAGE, MANAGE),
    "manage-snapshots": (MANAGE, NOBODY),
    "manage-snapshot": (MANAGE, MANAGE),
    "manage-snapshot-file": (MANAGE, NOBODY),
    "desk-undo-round": (NOBODY, RUN),
    "desk-clock": (NOBODY, STAFF),
    "call-take": (NOBODY, DECKS),
    "call-close": (NOBODY, DECKS),
    "announcement": (NOBODY, DECKS),
    "announcement-end": (NOBODY, DECKS),
    "rulings": (RULE, RULE),
    "match": (STAFF, STAFF),
    "match-note": (NOBODY, STAFF),
    "match-ruling": (NOBODY, DECKS),
    "desk-result": (STAFF, STAFF),
    "desk-battle": (STAFF, NOBODY),
    "match-take": (NOBODY, STAFF),
    "match-correct": (STAFF, STAFF),
    "match-leave": (NOBODY, RUN),
    "lots": (STAFF, STAFF),
    "lots-draw": (NOBODY, RULE),
    "lots-hand": (NOBODY, RULE),
    "lots-extra": (NOBODY, RULE),
    "advance": (STAFF, STAFF),
    "advance-close": (NOBODY, RUN),
    "advance-undo": (NOBODY, MANAGE),
    "second-leg": (NOBODY, RUN),
    "checks": (DECKS, DECKS),
    "checks-pick": (NOBODY, DECKS),
    "checks-start": (NOBODY, DECKS),
    "check": (DECKS, DECKS),
    "check-exchange": (DECKS, DECKS),
    "deck-sheets": (DECKS, NOBODY),
    "deck-sheet": (DECKS, NOBODY),
    "my-sheet": (PLAYER, NOBODY),
    "penalties": (STAFF, DECKS),
    "penalty-take-back": (NOBODY, RULE),
    "extension-take-back": (NOBODY, DECKS),
    "match-extend": (NOBODY, DECKS),
    "manage": (STAFF, NOBODY),
    "manage-move": (NOBODY, MANAGE),
    "manage-settings": (MANAGE, MANAGE),
    "manage-criteria": (MANAGE, MANAGE),
    "manage-players": (STAFF, NOBODY),
    "manage-players-add": (NOBODY, RUN),
    "manage-players-paste": (NOBODY, RUN),
    "manage-players-seeds": (NOBODY, RUN),
    "manage-player": (RUN, RUN),
    "manage-player-check-in": (NOBODY, STAFF),
    "manage-player-leave": (NOBODY, RUN),
    "manage-player-strike": (MANAGE, MANAGE),
    "manage-apart": (MANAGE, MANAGE),
    "manage-apart-end": (NOBODY, MANAGE),
    "manage-player-remove": (NOBODY, MANAGE),
    "manage-player-link": (NOBODY, RUN),
    "manage-decklists": (DECKS, NOBODY),
    "manage-player-decklist": (DECKS, DECKS),
    "manage-player-decklist-check": (NOBODY, DECKS),
    "manage-player-decklist-mend": (NOBODY, DECKS),
    "manage-player-decklist-open": (NOBODY, DECKS),
    "manage-player-decklist-close": (NOBODY, DECKS),
    "manage-player-decklist-versions": (DECKS, NOBODY),
    "manage-staff": (MANAGE, MANAGE),
    "manage-staff-take": (NOBODY, MANAGE),
    "manage-tokens": (MANAGE, MANAGE),
    "manage-token-revoke": (NOBODY, MANAGE),
    "manage-start": (MANAGE, NOBODY),
    "manage-start-draw": (NOBODY, MANAGE),
    "manage-start-hand": (NOBODY, MANAGE),
    "manage-start-go": (NOBODY, MANAGE),
    "log": (MANAGE, NOBODY),
    "log-redo": (NOBODY, MANAGE),
    "log-undo": (NOBODY, MANAGE),
}
OF_A_ROUND = {
    *("desk-change", "desk-discard"),
    *("my-report", "my-confirm", "desk-save", "desk-round", "desk-publish", "desk-undo-round"),
    *("check", "check-exchange", "penalty-take-back", "match-extend", "extension-take-back"),
    *("match", "desk-result", "desk-battle", "match-take", "match-correct", "match-leave"),
    *("match-note", "match-ruling", "my-call", "desk-clock", "call-take", "call-close"),
    "announcement-end",
}
NOT_OUT = {"decklist", "decklist-file", "played"}  # no list is there, and none is published
HIDDEN = NOT_OUT | {"decklists"}  # whoever is not on the staff is not told that it is there
GONE_ROUNDS = {
    "desk-change",
    *("desk-save", "desk-publish", "desk-undo-round", "penalty-take-back"),
    "extension-take-back",
    *("desk-clock", "call-take", "call-close", "announcement-end"),
}
REDIRECTED = {
    *(("manage-start", state) for state in ("running", "finished")),
    *(("check-exchange", state) for state in ("running", "finished")),  # no list
    ("match-correct", "running"),  # nothing to correct yet
    *(("manage-criteria", state) for state in ("draft", "registration")),  # in the settings
    ("desk-result", "finished"),  # corrected instead
}
BODIES = {
    "desk-draft": {"expected_round": "2"},
    "desk-change": {"expected": "1", "action": "table"},
    "desk-discard": {"confirm": "prova"},
    "desk-save": {"version": "0", "text": "40-10"},
    "desk-quick": {"ordinal": "1", "table": "1", "text": "40-10"},
    "desk-result": {"version": "0", "score_a": "40", "score_b": "10"},
    "match-take": {"version": "0", "report": "1"},
    "match-leave": {"number": "1", "action": "withdraw"},
    "checks-pick": {"expected": "1"},
    "checks-start": {"number": "2"},
    "check": {"version": "0"},
    "penalties": {"number": "1", "level": "warning", "infraction": "prova"},
    "match-extend": {"minutes": "5", "reason": "prova"},
    "desk-clock": {"action": "start", "version": "0"},
    "announcement": {"text": "prova", "minutes": "5"},
    "match-note": {"text": "prova"},
    "match-ruling": {"text": "prova"},
    "lots-draw": {"tied": "1,2"},
    "lots-hand": {"tied": "1,2", "place_1": "1", "place_2": "2", "witnesses": "Uno"},
    "lots-extra": {"tied": "1,2", "expected_round": "1"},
    "advance-close": {"expected_stage": "1"},
    "advance-undo": {"expected_stage": "1"},
    "second-leg": {"expected_stage": "1"},
    "manage-move": {"action": "finish"},
    "manage-criteria": {"preset": "magic", "reason": "prova"},
    "manage-players-add": {"name": "Zita"},
    "manage-players-paste": {"text": "Zita", "sure": "on"},
    "manage-players-seeds": {"seed_1": "1"},
    "manage-player": {"name": "Ada"},
    "manage-player-leave": {"action": "withdraw"},
    "log-undo": {"expected": "1"},
    "manage-apart": {"first": "1", "second": "2"},
    "manage-player-strike": {"action": "strike", "reason": "prova"},
    "manage-player-decklist": {"text": "1 Carta", "reason": "prova"},
    "manage-player-decklist-check": {"text": "1 Carta"},
    "manage-player-decklist-mend": {"text": "1 Carta", "mend": '[1, "Carta", "Carte"]'},
    "manage-player-decklist-open": {"until": "2199-12-31T10:00", "reason": "prova"},
    "manage-staff": {"email": "nobody@example.org", "role": "judge"},
    "manage-tokens": {"level": "read"},
    "manage-start-go": {"draw": "1"},
    "my-deck-check": {"text": "1 Carta"},
    "my-deck-draft": {"text": "1 Carta"},
    "my-deck-mend": {"text": "1 Carta", "mend": '[1, "Carta", "Carte"]'},
    "my-report": {"own": "40", "other": "10"},
    "register": {"name": "Zita"},
}

# Calls about an event; who may what with one that exists is tested in api/.
API_OF_AN_EVENT = {
    "event": [],
    "start": [],
    "players": [],
    "player": [1],
    "decklist": [1],
    "stages": [],
    "stage-close": [1],
    "stage-second-leg": [1],
    "stage-lots": [1],
    "stage-extra-matches": [1],
    "rounds": [],
    "round": [1],
    "round-publish": [1],
    "round-clock": [1],
    "round-check": [1],
    "round-changes": [1],
    "snapshots": [],
    "snapshot": [1],
    "snapshot-restore": [1],
    "matches": [],
    "match": [1],
    "match-result": [1],
    "match-effects": [1],
    "match-extensions": [1],
    "match-extension": [1, 1],
    "player-strike": [1],
    "apart": [],
    "apart-pair": [1, 2],
    "undo": [],
    "redo": [],
    "standings": [],
    "tie-breaks": [],
    "scenarios": [],
    "ranking": [],
    "archive": [],
    "export": [],
}
# (anonymous, signed in): reading, and sending an empty form
SITE_PAGES = {
    "health-live": ((200, 200), (405, 405)),
    "health-ready": ((200, 200), (405, 405)),
    "favicon": ((200, 200), (405, 405)),
    "robots": ((200, 200), (405, 405)),
    "style": ((404, 404), (405, 405)),
    "set_language": ((302, 302), (302, 302)),
    "profile": ((302, 200), (302, 200)),
    "make_token": ((405, 405), (302, 200)),
    "revoke_token": ((405, 405), (302, 404)),
    "schema": ((200, 200), (405, 405)),
    "api-docs": ((200, 200), (405, 405)),
    "decks_api:formats": ((200, 200), (405, 405)),
    "decks_api:format": ((200, 200), (405, 405)),
    "decks_api:validate": ((405, 405), (415, 415)),
    "decks_api:exchange": ((405, 405), (415, 415)),
    "tournaments_api:rank": ((405, 405), (415, 415)),
    "tournaments_api:formulas": ((200, 200), (401, 415)),
    "tournaments_api:formula-check": ((405, 405), (415, 415)),
    "tournaments_api:saved-formula": ((404, 404), (405, 405)),
    "tournaments_api:restore": ((405, 405), (401, 415)),
    "tournaments_api:advice": ((400, 400), (405, 405)),
    "tournaments_api:events": ((200, 200), (401, 415)),
    **{f"tournaments_api:{name}": ((404, 404), (404, 404)) for name in API_OF_AN_EVENT},
    "decks:card_games": ((200, 200), (405, 405)),
    "decks:cards": ((200, 200), (405, 405)),
    "decks:cards_load": ((302, 200), (302, 400)),
    "decks:cards_drop": ((302, 405), (302, 302)),
    "decks:complete": ((404, 404), (405, 405)),  # the game has no cards
    "decks:format_list": ((200, 200), (405, 405)),
    "decks:format": ((200, 200), (400, 400)),
    "decks:copy": ((302, 200), (302, 400)),
    "decks:change": ((302, 404), (302, 404)),
    "decks:lists_load": ((302, 200), (302, 400)),
    "decks:lists_version": ((200, 200), (405, 405)),
    "decks:lists_csv": ((200, 200), (405, 405)),
    "decks:sheet": ((200, 200), (405, 405)),
    "tournaments:event-list": ((200, 200), (405, 405)),
    "tournaments:advice": ((200, 200), (405, 405)),
    "tournaments:event-new": ((302, 200), (302, 400)),
    "tournaments:formulas": ((302, 200), (405, 405)),
    "tournaments:formula-new": ((302, 200), (302, 200)),
    "tournaments:formula-import": ((302, 200), (302, 400)),
    "tournaments:formula-change": ((302, 404), (302, 404)),
    "tournaments:formula-file": ((302, 404), (405, 405)),
    "tournaments:formula-delete": ((405, 405), (302, 404)),
    "tournaments:open-link": ((404, 404), (405, 405)),
    "tournaments:my-events": ((302, 200), (405, 405)),
    "account_login": ((200, 302), (200, 302)),
    "account_logout": ((302, 200), (302, 302)),
    "account_inactive": ((200, 200), (405, 405)),
    "account_signup": ((200, 302), (200, 302)),
    "account_reauthenticate": ((302, 200), (302, 200)),
    "account_email": ((302, 200), (302, 302)),
    "account_email_verification_sent": ((200, 200), (405, 405)),
    "account_change_password": ((302, 200), (302, 200)),
    "account_set_password": ((302, 302), (302, 302)),
    "account_reset_password": ((200, 200), (200, 200)),
    "account_reset_password_done": ((200, 200), (405, 405)),
    "account_reset_password_from_key": ((200, 200), (200, 200)),
    "account_reset_password_from_key_done": ((200, 200), (405, 405)),
    "account_confirm_login_code": ((302, 302), (302, 302)),
    "account_confirm_email": ((200, 200), (404, 404)),
}
NUMBERED = re.compile(r"/\d+/")
PARTS = {
    **{f"tournaments_api:{name}": ["nowhere", *more] for name, more in API_OF_AN_EVENT.items()},
    "revoke_token": ["12345678"],
    "decks_api:format": ["creatures-of-exo"],
    "decks_api:validate": ["creatures-of-exo"],
    "decks_api:exchange": ["creatures-of-exo"],
    "decks:cards": ["thoom"],
    "decks:cards_load": ["thoom"],
    "decks:cards_drop": ["thoom"],
    "decks:complete": ["thoom"],
    "decks:format": ["creatures-of-exo"],
    "decks:copy": ["creatures-of-exo"],
    "decks:change": ["creatures-of-exo"],
    "decks:lists_load": ["creatures-of-exo"],
    "decks:lists_version": ["doomtrooper-original", "2026-11-21"],
    "decks:lists_csv": ["doomtrooper-original", "2026-11-21"],
    "decks:sheet": ["creatures-of-exo"],
    "tournaments:open-link": ["x" * 32],
    "tournaments:formula-change": ["custom_nobody"],
    "tournaments_api:saved-formula": ["custom_nobody"],
    "tournaments:formula-file": ["custom_nobody"],
    "tournaments:formula-delete": ["custom_nobody"],
    "account_reset_password_from_key": ["1", "x-y"],
    "account_confirm_email": ["x"],
}


@pytest.fixture(autouse=True)
def _quiet():
    """Write no log: thousands of refusals with their tracebacks cost half the time."""
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


def names(resolver: URLResolver | None = None, space: str = "") -> Iterator[str]:
    """Yield the name of every address outside the admin site."""
    for item in (resolver or get_resolver()).url_patterns:
        if isinstance(item, URLPattern) and item.name:
            yield f"{space}{item.name}"
        elif isinstance(item, URLResolver) and item.namespace != "admin":
            yield from names(item, f"{space}{item.namespace}:" if item.namespace else space)


def test_every_address_stands_in_a_table() -> None:
    known = {*SITE_PAGES, *(f"tournaments:{name}" for name in EVENT_PAGES)}
    assert set(names()) == known


def due(state: str, role: str, method: str, name: str) -> set[int]:
    """Return the answers that are right."""
    reads, sends = EVENT_PAGES[name]
    may = reads if method == "get" else sends
    if not may:
        return {405}
    hidden = state == "draft" and role not in STAFF
    if hidden:
        return {404}
    if method == "get" and name in HIDDEN and (role not in STAFF or name == "played"):
        return {404}
    before = name in OF_A_ROUND and state not in ("running", "finished")
    if role not in may:
        return {403, 404} if before and role in STAFF else {403}
    if before or name in NOT_OUT:
        return {409} if name in GONE_ROUNDS else {404}
    if method == "get":
        return {302} if (name, state) in REDIRECTED else {200}
    return {200, 302, 400, 409}


@pytest.mark.parametrize("state", ["draft", "registration", "running", "finished"])
def test_who_gets_what(state: str) -> None:
    around = Around(state)
    wrong = []
    for name in EVENT_PAGES:
        for method in ("get", "post"):
            may = EVENT_PAGES[name][method == "post"]
            for role in ROLES if may else ROLES[-1:]:
                cache.clear()
                body = BODIES.get(name, {}) if method == "post" else {}
                status = around.undone(role, method, around.address(name), body).status_code
                right = due(state, role, method, name)
                if status not in right:
                    wrong.append(f"{method} {name} as {role}: {status}, not {sorted(right)}")
    assert not wrong, "\n".join(wrong)


def test_pages_of_the_site(settings) -> None:
    settings.DEBUG = False
    wrong = []
    for name, expected in SITE_PAGES.items():
        for at, signed_in in enumerate((False, True)):
            for method, right in zip(("get", "post"), expected, strict=True):
                browser = Client()
                if signed_in:
                    browser.force_login(make.user())
                status = getattr(browser, method)(reverse(name, args=PARTS.get(name)))
                if status.status_code != right[at]:
                    who = "signed in" if signed_in else "anonymous"
                    wrong.append(f"{method} {name} {who}: {status.status_code}, not {right[at]}")
    assert not wrong, "\n".join(wrong)


def test_things_of_another_event_are_not_there() -> None:
    """As organiser and player of one event, with the ids of another."""
    around, other = Around("running"), Around("running")
    around.event.entries.update(number=F("number") + 50)
    around.parts = other.parts | {"slug": around.event.slug, "ordinal": 9}
    before = tables()
    for name, (reads, sends) in EVENT_PAGES.items():
        address = around.address(name)
        if not NUMBERED.search(address):
            continue
        role = "player" if PLAYER in (reads, sends) else "organiser"
        for method, may in (("get", reads), ("post", sends)):
            if may:
                body = BODIES.get(name, {}) if method == "post" else {}
                answer = getattr(around.browsers[role], method)(address, body)
                assert answer.status_code in (404, 409), f"{method} {name}"
    assert tables() == before


def test_a_player_of_the_event_is_nobody_in_the_match_of_others() -> None:
    around = Around("running")
    mine = around.parts["match_id"]
    match = Match.objects.filter(round__event=around.event, b__isnull=False).exclude(pk=mine)[0]
    for name in ("my-report", "my-confirm"):
        address = reverse(f"tournaments:{name}", args=[around.event.slug, match.pk])
        assert around.browsers["player"].post(address, {"version": "0"}).status_code == 404


def test_who_leaves_the_staff_is_out_at_once() -> None:
    around = Around("running")
    role = around.event.staff.get(role=Role.JUDGE)
    staff.take_role(event=around.event, role_id=role.pk, by=Actor(user=around.by.user))
    assert around.browsers["judge"].get(around.address("desk")).status_code == 403
