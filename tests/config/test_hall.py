"""The hall opened to phones while the site runs: its address, its settings, requests under way."""

import http.client
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

import pytest
import waitress
from django.conf import settings
from django.test import RequestFactory
from waitress import wasyncore
from waitress.server import BaseWSGIServer

from accounts.models import User
from config import hall as halls
from config import server, systems, venue
from config.addresses import absolute_url
from rules.errors import RuleError
from tests.servers import running
from tournaments.demo import OPEN_PASSWORD, ORGANISER

pytestmark = pytest.mark.django_db(transaction=True)
PHONES = "127.0.0.2"
"""The laptop's address in the network: another one of the loopback network, as on Linux."""
CHANGED = ("SITE_ADDRESS", "ALLOWED_HOSTS", "LISTEN", "SIGN_UP", "ONLY_HERE", "VENUE_AUTHORITY")


class Site:
    """An application that answers when it is let, and notes the requests that it had."""

    def __init__(self) -> None:
        self.begun, self.let = threading.Event(), threading.Event()
        self.let.set()
        self.asked: list[dict] = []

    def __call__(self, environ, start_response):
        self.asked.append(environ)
        self.begun.set()
        self.let.wait(20)
        body = environ["wsgi.input"].read() or b"here"
        start_response("200 OK", [("Set-Cookie", "a=b; Path=/"), ("Content-Type", "text/plain")])
        return [body]


@contextmanager
def laptop(application) -> Iterator[halls.VenueNetworkSwitch]:
    """Serve an application on the laptop alone, from a thread; yield its switch."""
    switch, ready = halls.VenueNetworkSwitch(), threading.Event()
    kept = BaseWSGIServer.channel_class
    BaseWSGIServer.channel_class = server.Channel
    running_server = waitress.create_server(
        application, listen=f"127.0.0.1:{running.free_port()}", threads=4
    )

    def run() -> None:
        switch.attach(running_server, application)
        ready.set()
        with pytest.MonkeyPatch.context() as quiet:  # it ends by its sockets being closed
            quiet.setattr(running_server.adj, "asyncore_loop_timeout", 0.05)
            running_server.run()

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    ready.wait(10)
    try:
        yield switch
    finally:
        switch.close()
        for timer in [one for one in threading.enumerate() if isinstance(one, threading.Timer)]:
            timer.join(10)
        everything = partial(wasyncore.close_all, running_server._map, ignore_all=True)
        running_server.trigger.pull_trigger(everything)
        thread.join(10)
        running_server.task_dispatcher.shutdown()
        BaseWSGIServer.channel_class = kept
        assert not thread.is_alive()


@pytest.fixture
def site(tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "DATA", tmp_path)
    monkeypatch.setattr(halls, "GRACE", 1.0)
    monkeypatch.delenv("SIGN_UP", raising=False)
    return Site()


def ask(port: int, host: str = PHONES, context: ssl.SSLContext | None = None, **more):
    """Send a request; return its status, cookie and body."""
    kind = http.client.HTTPSConnection if context else http.client.HTTPConnection
    connection = kind(host, port, timeout=20, **({"context": context} if context else {}))
    try:
        connection.request(more.pop("method", "GET"), "/", **more)
        answer = connection.getresponse()
        return answer.status, answer.headers["Set-Cookie"], answer.read()
    finally:
        connection.close()


def port_of(opening: halls.VenueServer) -> int:
    return int(opening.url.rpartition(":")[2])


@pytest.mark.deep
def test_phones_reach_the_site_from_the_click_on_and_no_longer_after_the_next(site):
    before = {name: getattr(settings, name) for name in CHANGED}
    with laptop(site) as switch:
        port = switch._server.effective_port
        opening = switch.open(PHONES, certificate=False)
        assert opening.url == f"http://{PHONES}:{port}"
        assert ask(port) == (200, "a=b; Path=/", b"here")
        assert site.asked[-1][halls.MARK] is True
        assert ask(port, "127.0.0.1")[0] == 200
        assert halls.MARK not in site.asked[-1]
        assert settings.ALLOWED_HOSTS[-1] == PHONES
        assert (settings.SIGN_UP, settings.ONLY_HERE) == ("invitation", False)
        asked = RequestFactory().get("/", headers={"host": f"127.0.0.1:{port}"})
        assert absolute_url(asked, "/e/") == f"http://{PHONES}:{port}/e/"
        assert switch.open(PHONES, certificate=True) is opening  # it is open already
        switch.close()
        with pytest.raises(OSError, match="refused"):
            ask(port)
        assert ask(port, "127.0.0.1")[0] == 200
    assert {name: getattr(settings, name) for name in CHANGED} == before


@pytest.mark.deep
def test_with_a_certificate_phones_that_trust_it_need_no_exception(site, tmp_path):
    with laptop(site) as switch:
        opening = switch.open(PHONES, certificate=True)
        trusting = ssl.create_default_context(cafile=settings.VENUE_AUTHORITY)
        sent = b"x" * 300_000
        found = ask(port_of(opening), context=trusting, method="POST", body=sent)
        assert found == (200, "a=b; Path=/; Secure", sent)
        assert site.asked[-1]["wsgi.url_scheme"] == "https"
        with pytest.raises(ssl.SSLCertVerificationError):
            ask(port_of(opening), context=ssl.create_default_context())
        with pytest.raises((OSError, http.client.HTTPException)):
            ask(port_of(opening))  # plain HTTP to the encrypted address
        assert ask(port_of(opening), context=trusting)[0] == 200
        switch.close()
    assert (tmp_path / "certificate" / "authority.key").exists()


@pytest.mark.deep
@pytest.mark.parametrize("certificate", [False, True])
def test_requests_under_way_are_answered_when_the_hall_closes(site, certificate):
    with laptop(site) as switch:
        opening = switch.open(PHONES, certificate=certificate)
        port = port_of(opening)
        context = ssl.create_default_context(cafile=settings.VENUE_AUTHORITY or None)

        def connect() -> socket.socket:
            plain = socket.create_connection((PHONES, port), timeout=20)
            return context.wrap_socket(plain, server_hostname=PHONES) if certificate else plain

        idle, slow, silent = connect(), connect(), connect()
        slow.sendall(
            b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nConnection: close\r\n\r\nha"
        )
        silent.sendall(b"GET / HT")
        site.let.clear()
        site.begun.clear()
        answers: list[bytes] = []

        def wait_for_answer() -> None:
            answers.append(ask(port, context=context if certificate else None)[2])

        waiting = threading.Thread(target=wait_for_answer)
        waiting.start()
        assert site.begun.wait(10)
        switch.close()
        slow.sendall(b"lf")
        site.let.set()
        waiting.join(20)
        assert answers == [b"here"]
        assert read(slow).endswith(b"half")
        assert read(idle) == b""
        began = time.monotonic()
        assert read(silent) == b""  # it never ends its request
        assert time.monotonic() - began < halls.GRACE + 5


def read(connection: socket.socket) -> bytes:
    parts = []
    with connection:
        while part := connection.recv(65_536):
            parts.append(part)
    return b"".join(parts)


@pytest.mark.deep
def test_the_next_start_opens_what_was_open_and_not_what_was_closed(site):
    with laptop(site) as switch:
        switch.open(PHONES, certificate=True, again=True)
        kept = switch.note.read_text()
    assert not switch.note.exists()  # it was closed
    switch.note.write_text(kept)
    with laptop(site) as switch:
        switch.open_again()
        trusting = ssl.create_default_context(cafile=settings.VENUE_AUTHORITY)
        assert ask(port_of(switch.opening), context=trusting)[0] == 200
    with laptop(site) as switch:
        switch.open_again()
        assert switch.opening is None
        switch.open(PHONES, certificate=False)  # by the command line, for this time
        assert not switch.note.exists()


@pytest.mark.parametrize("kept", ['{"address": "203.0.113.9", "certificate": false}', "[]", "half"])
def test_a_hall_elsewhere_and_a_spoilt_note_stop_no_start(site, kept):
    with laptop(site) as switch:
        switch.note.write_text(kept)
        switch.open_again()
        assert switch.opening is None


@pytest.mark.deep
def test_the_next_port_is_taken_and_none_is_a_sentence(site, monkeypatch):
    with laptop(site) as switch, socket.socket() as other:
        other.bind((PHONES, int(switch._server.effective_port)))
        other.listen()
        assert port_of(switch.open(PHONES, certificate=False)) > int(switch._server.effective_port)
        switch.close()
        before = settings.ALLOWED_HOSTS
        for seems_free in (False, True):  # the other program may come a moment later
            monkeypatch.setattr(systems, "can_bind", lambda *_place, free=seems_free: free)
            with pytest.raises(RuleError, match="Another program uses port"):
                switch.open(PHONES, certificate=False)
        assert (settings.ALLOWED_HOSTS, switch.opening) == (before, None)


@pytest.mark.deep
def test_accounts_whose_password_everybody_knows_are_locked(site):
    person = User.objects.create_user(ORGANISER, OPEN_PASSWORD, name="Marta")
    with laptop(site) as switch:
        switch.open(PHONES, certificate=False)
    person.refresh_from_db()
    assert not person.has_usable_password()


def test_an_address_of_another_machine_is_a_sentence(site):
    with laptop(site) as switch, pytest.raises(venue.NoAddressError, match=r"203\.0\.113\.9"):
        switch.open("203.0.113.9", certificate=False)
