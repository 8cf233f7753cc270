"""The browser of journeys: how it is started, the devices it plays, what must not happen in it."""

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import font_source_sans_pro
import pytest
from django.test import Client

if TYPE_CHECKING:
    from accounts.models import User

playwright_api = pytest.importorskip("playwright.sync_api")

# The same engine without windows takes a third of the processor; `bin/chromium` installs either.
CHROMIUM = which("chromium-headless-shell") or which("chromium")
PATIENCE = 90_000  # milliseconds: a machine that does much else is no fault of the site
# What a page says of a request that the server does not answer any more. Which of these depends
# on how far the request had come: one that is on its way is reset, a later one is refused.
UNPLUGGED = (
    *("ERR_CONNECTION", "ERR_EMPTY_RESPONSE", "ERR_SOCKET_NOT_CONNECTED"),
    *("ERR_INCOMPLETE_CHUNKED_ENCODING", "ERR_CONTENT_LENGTH_MISMATCH", "ERR_NETWORK_CHANGED"),
)
# What Playwright leaves out (its own list counts no more where another follows), and the process
# that Chromium keeps ready for each window that might be opened.
WITHOUT = (
    *("AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades"),
    *("HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
    "SpareRendererForSitePerProcess",
)
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(WITHOUT)}",
]
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "locale": "it-IT",
    "timezone_id": "Europe/Rome",
}
DESK = {
    "viewport": {"width": 1366, "height": 768},
    "locale": "en-GB",
    "timezone_id": "Europe/Rome",
}
# A dot that pulses keeps a tenth of a processor busy in every window that is open.
CALM = {"service_workers": "block", "reduced_motion": "reduce"}


FONTS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>{fonts}</dir>
  <cachedir>{cache}</cachedir>
  <match target="pattern">
    <edit name="family" mode="append" binding="weak"><string>Source Sans Pro</string></edit>
  </match>
  <match target="font">
    <edit name="antialias"><bool>true</bool></edit>
    <edit name="hinting"><bool>true</bool></edit>
    <edit name="hintstyle"><const>hintslight</const></edit>
    <edit name="rgba"><const>none</const></edit>
  </match>
</fontconfig>
"""
"""The fonts of the browser, for fontconfig: a packaged one alone, whatever family a page names."""


def with_own_fonts(folder: Path) -> dict[str, str]:
    """Return the environment of a browser that measures letters alike on every machine.

    Writes the settings of its fonts to ``folder``.
    """
    settings = folder / "fonts.conf"
    packaged = Path(font_source_sans_pro.__file__).parent / "files"
    settings.write_text(FONTS.format(fonts=packaged, cache=folder / "cache"))
    return {**os.environ, "FONTCONFIG_FILE": str(settings)}


@dataclass
class Watch:
    """What must not happen on a page; ``allow`` names texts that a test expects."""

    seen: list[str] = field(default_factory=list)
    allow: list[str] = field(default_factory=list)

    def follow(self, page: "playwright_api.Page") -> Callable[[], None]:
        """Listen to the page's console, scripts and requests; return what ends that."""
        listened: dict[str, Callable[[Any], object]] = {
            "console": lambda said: said.type == "error" and self.note(spoken(said)),
            "pageerror": lambda error: self.note(str(error)),
            "request": lambda request: self.host(request.url),
        }
        for event, listener in listened.items():
            page.on(event, listener)

        def leave() -> None:
            for event, listener in listened.items():
                page.remove_listener(event, listener)

        return leave

    def host(self, url: str) -> None:
        """Note a request that leaves this machine."""
        parts = urlsplit(url)
        here = parts.hostname in ("127.0.0.1", "localhost")
        if parts.scheme in ("http", "https", "ws", "wss") and not here:
            self.note(f"request to {url}")

    def note(self, text: str) -> None:
        """Keep what was seen."""
        self.seen.append(text)

    def unexpected(self) -> list[str]:
        """Return what no test allowed."""
        return [text for text in self.seen if not any(part in text for part in self.allow)]


def spoken(said: "playwright_api.ConsoleMessage") -> str:
    """Return what the console says, and of which address."""
    return f"{said.text} {said.location['url']}"


def sign_in(page: "playwright_api.Page", client: Client, user: "User", url: str) -> None:
    """Give a page's browser the cookie of somebody who is signed in on the site at ``url``."""
    client.force_login(user)
    cookie = {"name": "girone", "value": client.cookies["girone"].value, "url": url}
    page.context.add_cookies([cookie | {"expires": 4_000_000_000}])  # a restart keeps it
