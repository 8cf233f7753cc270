"""Browsers that read English, the pages of an event they open, and what these say."""

import re

from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from tournaments.core.permissions import Actor
from tournaments.models import Entry, Event
from tournaments.players.services import entries

ENGLISH = {"accept-language": "en"}
TAG = re.compile(r"<[a-z][^<>]*>")
SPACE = re.compile(r"\s+")


def signed_in(actor: Actor) -> Client:
    """Return the browser of somebody with an account."""
    client = Client(headers=ENGLISH)
    client.force_login(actor.user)
    return client


def open_link(client: Client, entry: Entry, by: Actor) -> HttpResponse:
    """Open a player's personal link in a browser, in English from now on; return the answer."""
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = "en"
    return client.get(
        reverse("tournaments:open-link", args=[entries.make_link(entry=entry, by=by)])
    )


def by_link(entry: Entry, by: Actor) -> Client:
    """Return a browser in which a player's personal link was opened."""
    client = Client()
    open_link(client, entry, by)
    return client


def url(name: str, event: Event, *parts: object) -> str:
    """Return the address of an event's page by the page's name."""
    return reverse(f"tournaments:{name}", args=[event.slug, *parts])


def text(answer: HttpResponse) -> str:
    """Return what an answer says; inside tags, white space is one space, as browsers read it."""
    return TAG.sub(lambda tag: SPACE.sub(" ", tag[0]).replace(" >", ">"), answer.content.decode())


def page(client: Client, name: str, event: Event, *parts: object) -> str:
    """Return what an event's page says, which must be there."""
    answer = client.get(url(name, event, *parts))
    assert answer.status_code == 200
    return text(answer)


def read(client: Client, path: str, language: str = "en", **more: str) -> str:
    """Return what a page says in a language, which must be there; ``more`` are headers."""
    answer = client.get(path, headers={"accept-language": language} | more)
    assert answer.status_code == 200, path
    return text(answer)
