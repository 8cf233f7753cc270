"""Every form of the site is tried for the redirect after it has stored, or named with a reason."""

import ast
from pathlib import Path

import pytest
from django.test import Client

from tests import factories as make
from tests.browsers import signed_in, url
from tests.event_addresses import EVENT_PAGES, NOBODY
from tests.forms_tried import TRIED
from tests.forms_without_store import NOT_STORING
from tests.site_addresses import SITE_PAGES
from tests.storing import STORED, RepeatedError, checked_post
from tournaments.clock import services as extensions
from tournaments.core.permissions import Actor
from tournaments.models import Match

ROOT = Path(__file__).resolve().parents[2]
APIS = ("decks_api:", "tournaments_api:")


def forms() -> set[str]:
    """Return the names of all pages that take a form; test_every_page walks the addresses."""
    of_events = {
        f"tournaments:{name}" for name, (_r, sends) in EVENT_PAGES.items() if sends != NOBODY
    }
    of_site = {name for name, (_reads, sends) in SITE_PAGES.items() if sends != (405, 405)}
    return of_events | {name for name in of_site if not name.startswith(APIS)}


def test_every_form_is_tried_or_named_with_a_reason() -> None:
    tried = set().union(*TRIED.values())
    assert forms() - tried - NOT_STORING.keys() == set()
    assert (tried | NOT_STORING.keys()) - forms() == set()
    assert not tried & NOT_STORING.keys()


@pytest.mark.parametrize("name", TRIED)
def test_what_is_named_is_a_test(name: str) -> None:
    file, _sep, function = name.partition("::")
    found = ast.walk(ast.parse((ROOT / file).read_text()))
    names = {node.name for node in found if isinstance(node, ast.FunctionDef)}
    assert function.partition("[")[0] in names


@pytest.mark.django_db
def test_an_event_is_moved_on(by: Actor) -> None:
    event = make.event(by)
    sent = signed_in(by).post(url("manage-move", event), {"action": "open_registration"})
    assert sent.status_code == 302
    event.refresh_from_db()
    assert event.state == "registration"


@pytest.mark.django_db
def test_extra_time_is_taken_back(by: Actor) -> None:
    event = make.playing(by, 4, formula="single-group")
    match = Match.objects.filter(round__event=event).first()
    given = extensions.extend_time(match=match, minutes=5, reason="prova", by=by)
    assert signed_in(by).post(url("extension-take-back", event, given.pk)).status_code == 302
    assert not match.extensions.exists()


@pytest.mark.django_db
def test_a_profile_is_changed(by: Actor) -> None:
    client = signed_in(by)
    assert client.post("/accounts/me/", {"name": "Zita", "language": "it"}).status_code == 302
    by.user.refresh_from_db()
    assert by.user.name == "Zita"


@pytest.mark.django_db
def test_a_page_that_stores_and_does_not_redirect_is_caught(by: Actor) -> None:
    """The check itself: a form that stored, and a page as its answer."""
    event = make.open_event(by)

    def answering_a_page(client: Client, path: str, *args, **kwargs):
        client.generic("POST", path, "name=Anna", "application/x-www-form-urlencoded")
        return client.get(path)

    with pytest.raises(RepeatedError, match="tournaments_entry"):
        checked_post(answering_a_page)(Client(), url("register", event))
    assert "tournaments:register" not in STORED
