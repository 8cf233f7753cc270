"""The documented configuration, run: TLS, the port in addresses, large bodies, slow phones."""

import http.client
import re
import shutil
import time

import pytest

from config.sizes import MEBIBYTE
from tests.servers import documented
from tests.servers.running import Answer, ask, needs, until

SLOW = 20
"""More slow connections than there are threads."""

pytestmark = [
    pytest.mark.processes,
    pytest.mark.skipif(
        bool(needs("nginx", "openssl")), reason="needs nginx and openssl (apt-get install nginx)"
    ),
]


class Front:
    """A running nginx, asked by the name and port in its address."""

    def __init__(self, folder, plain, tls):
        self.folder, self.plain, self.tls = folder, plain, tls
        self.name = f"{documented.NAME}:{tls}"
        self.origin = f"https://{self.name}"

    def raw(self):
        context = documented.trusting(self.folder)
        return context.wrap_socket(documented.connect(self.tls), server_hostname=documented.NAME)

    def ask(self, path, *, method="GET", body=None, headers=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.tls, timeout=60)
        connection.sock = self.raw()
        began = time.monotonic()
        try:
            connection.request(method, path, body, {"Host": self.name} | (headers or {}))
            return Answer(connection.getresponse(), time.monotonic() - began)
        finally:
            connection.close()


@pytest.fixture(
    scope="module", params=[pytest.param("waitress", marks=pytest.mark.deep), "gunicorn"]
)
def front(request, migrated, tmp_path_factory):
    site = tmp_path_factory.mktemp(request.param)
    shutil.copy(migrated / "site.sqlite3", site)
    with (
        documented.server(request.param, site) as port,
        documented.nginx(site, port) as (plain, tls),
    ):
        yield Front(site, plain, tls)


def test_the_documented_configuration_serves(front):
    page = front.ask("/accounts/login/")
    assert page.status == 200
    assert "Strict-Transport-Security" not in page.headers
    leads = ask(front.plain, "/x/?a=1", headers={"Host": documented.NAME})
    assert (leads.status, leads.headers["Location"]) == (301, f"{front.origin}/x/?a=1")

    # a form counts only where scheme, name and port of its origin are those of the site
    (token,) = set(re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page.body.decode()))
    cookie = page.headers["Set-Cookie"].partition(";")[0]
    assert cookie.startswith("__Host-csrf=")
    sent = f"csrfmiddlewaretoken={token}&login=a@example.org&password=wrong".encode()
    form = {
        "Cookie": cookie,
        "Origin": front.origin,
        "Referer": f"{front.origin}/accounts/login/",
        "Content-Type": "application/x-www-form-urlencoded",
    }
    told = front.ask("/accounts/login/", method="POST", body=sent, headers=form)
    assert told.status == 200  # the password was wrong; a foreign origin is 403

    # an archive of some megabytes reaches the site, a film nobody
    json = {"Content-Type": "application/json"}
    archive = b'"' + b"x" * 5 * MEBIBYTE + b'"'
    restore = front.ask("/api/v1/events/restore/", method="POST", body=archive, headers=json)
    assert restore.status in (400, 401, 403)
    film = {"Content-Length": str(300 * MEBIBYTE)} | json
    assert front.ask("/accounts/login/", method="POST", body=b"x", headers=film).status == 413


def test_slow_phones_wait_in_nginx(front):
    slow = []
    try:
        for _ in range(SLOW):
            slow.append(front.raw())
            slow[-1].sendall(b"POST /accounts/login/ HTTP/1.1\r\nHost: " + front.name.encode())
        page = front.ask("/")
        assert (page.status, page.seconds < 15) == (200, True)
    finally:
        for one in slow:
            one.close()


def unanswered(port):
    """Say whether nobody is left to answer within three seconds."""
    try:
        return not ask(port, "/health/live", timeout=3)
    except TimeoutError:
        return True


@pytest.mark.deep
def test_gunicorn_alone_is_stopped_by_slow_phones(site):
    """What the proxy is there for: were this to pass, the docs would say too much."""
    with documented.server("gunicorn", site) as port:
        slow = [documented.connect(port) for _ in range(SLOW)]
        try:
            for one in slow:
                one.sendall(b"GET / HTTP/1.1\r\nHost: x")
            until(lambda: unanswered(port), why="gunicorn answers beside slow phones")
        finally:
            for one in slow:
                one.close()
