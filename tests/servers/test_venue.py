"""``make run LAN=1``: a hall served from this machine, on plain HTTP and with a certificate."""

import json
import re
import ssl
import urllib.request
from http.cookiejar import CookieJar
from urllib.parse import urlencode

import pytest

from tests.servers import running

pytestmark = [pytest.mark.processes, pytest.mark.deep]
PHONES = "127.0.0.2"
"""The laptop's address in the network: another one of the loopback network, as on Linux."""
ORGANISER = {"name": "Marta", "password": "sala-grande-9"}


def served(site, tmp_path, **more):
    """Serve a hall at the loopback address; return the program and what it will print into."""
    port = running.free_port()
    env = running.environment(
        site, LAN=PHONES, PORT=str(port), STATIC_ROOT=str(tmp_path / "static"), **more
    )
    del env["ALLOWED_HOSTS"]
    log = tmp_path / "venue.log"
    return port, log, running.program(["bin/run"], log, cwd=running.ROOT, env=env)


def phone(context=None):
    """Return a browser without scripts, and its cookies."""
    jar = CookieJar()
    handlers = [urllib.request.HTTPCookieProcessor(jar)]
    if context:
        handlers.append(urllib.request.HTTPSHandler(context=context))
    return urllib.request.build_opener(*handlers), jar


def begin(browser, printed, url):
    """Make the organiser's account by the link that was printed; return the page that follows."""
    (link,) = re.findall(rf"{url}/accounts/first/[\w-]+/", printed)
    page = browser.open(link)
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())[1]
    sent = urlencode(ORGANISER | {"csrfmiddlewaretoken": token}).encode()
    headers = {"Referer": page.url, "Origin": url}
    asked = urllib.request.Request(page.url, sent, headers)  # noqa: S310
    return browser.open(asked).read().decode()


def sign_in(browser, url):
    """Sign the organiser in by the form; return the page that follows."""
    page = browser.open(f"{url}/accounts/login/")
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.read().decode())[1]
    sent = {"login": "organiser@girone.local", "password": ORGANISER["password"]}
    data = urlencode(sent | {"csrfmiddlewaretoken": token}).encode()
    headers = {"Referer": page.url, "Origin": url}
    asked = urllib.request.Request(page.url, data, headers)  # noqa: S310
    return browser.open(asked).read().decode()


@pytest.mark.deep
def test_a_hall_on_plain_http(site, tmp_path):
    port, log, program = served(site, tmp_path)
    url = f"http://127.0.0.1:{port}"
    with program as started:
        running.until(lambda: running.answers(port), seconds=150, why="the hall was not served")
        printed = log.read_text()
        nobody, _jar = phone()
        assert 'name="password1"' not in nobody.open(f"{url}/accounts/signup/").read().decode()
        browser, jar = phone()
        assert "Marta" in begin(browser, printed, url)
        assert {cookie.secure for cookie in jar} == {False}
        assert browser.open(f"http://{PHONES}:{port}/").status == 200
        worker = browser.open(f"{url}/sw.js").read().decode()
        (shell,) = re.findall(r'"shell": (\[.*?\])', worker)
        for name in json.loads(shell):  # one that is missing, and no phone keeps any
            assert browser.open(url + name).status == 200
        assert started.poll() is None
    assert f"Girone: http://{PHONES}:{port}/" in printed
    assert "▄" in printed  # its QR code
    assert "girone-demo" not in printed


def test_a_hall_with_a_certificate(site, tmp_path):
    port, log, program = served(site, tmp_path, CERTIFICATE="1", VENUE_FOLDER=str(tmp_path / "tls"))
    url = f"https://{PHONES}:{port}"
    unchecked = ssl.create_default_context()
    unchecked.check_hostname, unchecked.verify_mode = False, ssl.CERT_NONE
    with program:
        first, _jar = phone(unchecked)
        running.until(
            lambda: first.open(f"{url}/health/live").status == 200,
            seconds=150,
            why="the hall was not served",
        )
        authority = first.open(f"{url}/girone-ca.crt").read()
        trusting = ssl.create_default_context(cadata=authority)
        organiser, _jar = phone()
        assert "Marta" in begin(organiser, log.read_text(), f"http://127.0.0.1:{port}")
        browser, jar = phone(trusting)
        signed_in = sign_in(browser, url)
        assert "Marta" in signed_in
        assert f"https://{PHONES}" in browser.open(f"{url}/feed/").read().decode()
        assert {cookie.secure for cookie in jar} == {True}
    assert f"{url}/girone-ca.crt" in log.read_text()
    assert (tmp_path / "tls" / "authority.key").exists()
