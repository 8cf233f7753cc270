"""No browser and no proxy keeps an answer that was made for one reader.

Every address is asked for as somebody and as nobody: what differs is somebody's own.
"""

import re
from collections.abc import Sequence

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse

from tests import factories as make
from tests.canary_event import KINDS, PARTS, READ, SOME, TAKING, CanaryEvent
from tests.crawling import refusing, still
from tournaments.models import TokenScope
from tournaments.staff.services import create_event_token

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("quiet")]


FEW_OR_ALL = pytest.mark.parametrize(
    ("roles", "numbers", "kinds"),
    [
        (("organiser", "owner", "program"), (1,), ("text", "xlsx")),
        pytest.param(
            ("organiser", "judge", "owner", "program"), SOME, KINDS, marks=pytest.mark.deep
        ),
    ],
)
"""Who asks, the players at whose addresses is looked, and the kinds of files of lists."""


def addresses(around: CanaryEvent, numbers: Sequence[int], kinds: Sequence[str]) -> list[str]:
    """Return every address of the site that can be read."""
    ours = [name for name in READ if name.startswith("tournaments")]
    others = [reverse(name, args=PARTS.get(name)) for name in READ if name not in ours]
    return list(dict.fromkeys([*around.addresses(ours, numbers, kinds), *others]))


@pytest.mark.deep
@FEW_OR_ALL
def test_every_answer_that_is_somebodys_own_says_that_nobody_keeps_it(
    roles: Sequence[str], numbers: Sequence[int], kinds: Sequence[str]
) -> None:
    around = CanaryEvent("registration")
    around.prepare()
    around.enter("drafted")
    around.enter("closed")
    token = create_event_token(event=around.event, level=TokenScope.Level.MANAGE, by=around.by)
    around.browsers["program"] = Client(headers={"authorization": f"Token {token}"})
    anybody = Client(headers={"accept-language": "en"})
    found = {}
    own: dict[str, int] = {}
    for address in addresses(around, numbers, kinds):
        cache.clear()
        anybody.cookies.clear()
        public = still(anybody.get(address))
        for role in roles:
            cache.clear()
            answer = around.browsers[role].get(address, headers={"accept-language": "en"})
            kept = answer.get("Cache-Control", "")
            if still(answer) != public:
                own[role] = own.get(role, 0) + 1
                if "no-store" not in kept:
                    found[role, address] = kept
    assert not found
    assert min(own.values()) > 60, own


@pytest.mark.deep
@pytest.mark.parametrize("role", ["organiser", pytest.param("owner", marks=pytest.mark.deep)])
def test_what_is_sent_is_kept_by_nobody_either(role: str) -> None:
    around = CanaryEvent("registration")
    around.prepare()
    around.enter("drafted")
    around.enter("closed")
    names = [name for name in TAKING if name.startswith("tournaments:")]
    names = [name for name in names if name not in refusing("POST")]
    for address in around.addresses(names, [1]):
        answer = around.undone(role, "post", address, {})
        assert "no-store" in answer.get("Cache-Control", ""), address


def test_public_pages_of_anonymous_readers_stay_as_they_are(client: Client) -> None:
    event = make.started(make.organiser(), 4)
    for address in ("", "standings/", "players/"):
        page = f"/events/{event.slug}/{address}"
        answer = client.get(page)
        assert "no-store" not in answer.get("Cache-Control", "")
        assert "sessionid" not in answer.cookies
    asks = {"hx-request": "true"}
    first = client.get(f"/events/{event.slug}/standings/", headers=asks)
    held = asks | {"if-none-match": first["ETag"]}
    assert client.get(f"/events/{event.slug}/standings/", headers=held).status_code == 304
    api = client.get(f"/api/v1/events/{event.slug}/standings/")
    held = {"if-none-match": api["ETag"]}
    assert client.get(f"/api/v1/events/{event.slug}/standings/", headers=held).status_code == 304


def test_at_sign_out_browsers_drop_pages_and_nothing_else(client: Client) -> None:
    user = make.user("anna@example.org")
    signed = client.post("/accounts/login/", {"login": user.email, "password": "girone-test"})
    assert "no-store" in signed["Cache-Control"]
    assert "Clear-Site-Data" not in client.get("/accounts/me/")
    out = client.post("/accounts/logout/")
    assert out["Clear-Site-Data"] == '"cache"'
    assert "Clear-Site-Data" not in client.get("/")


def test_what_a_desk_has_not_sent_yet_is_bound_to_the_account(by) -> None:
    event = make.playing(by, 4)
    client = Client()
    assert by.user is not None
    client.force_login(by.user)
    desk = client.get(reverse("tournaments:desk", args=[event.slug])).content.decode()
    assert re.search(rf'data-event="{event.pk}" data-account="{by.user.pk}"', desk)
