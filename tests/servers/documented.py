"""What ``docs/deploying.md`` tells people to run, taken from its text."""

import re
import shlex
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers.running import BIN, ROOT, free_port, program, serving, until

NAME = "girone.example"
BEHIND_PROXY = {"HTTPS": "1", "TRUSTED_PROXIES": "1", "ALLOWED_HOSTS": NAME}
PAGE = ROOT / "docs" / "deploying.md"
IPV6 = Path("/proc/net/if_inet6").exists() and bool(Path("/proc/net/if_inet6").read_text())


def blocks() -> list[str]:
    """Return the blocks of code of the page."""
    return re.findall(r"^```\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def block(mark: str) -> str:
    """Return the first block that contains a text."""
    return next(found for found in blocks() if mark in found)


def commands() -> dict[str, list[str]]:
    """Return how the units start each server, with the programs of this installation."""
    starts = [
        shlex.split(line.partition("=")[2].replace("/srv/girone/.venv/bin/", f"{BIN}/"))
        for found in blocks()
        for line in found.splitlines()
        if line.startswith("ExecStart=")
    ]
    return {
        "gunicorn": next(start for start in starts if start[0].endswith("/gunicorn")),
        "waitress": next(start for start in starts if "config.server" in start),
    }


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    """Return a text with each part replaced; each must be there."""
    for old, new in pairs:
        assert old in text, f"{old} is not in the documented configuration"
        text = text.replace(old, new)
    return text


@contextmanager
def server(kind: str, folder: Path, **more: str) -> Iterator[int]:
    """Serve a site as a unit of the page does; yield its port."""
    port = free_port()
    settings = BEHIND_PROXY | {"LISTEN": f"127.0.0.1:{port}"} | more
    with serving(commands()[kind], folder, port, **settings):
        yield port


@contextmanager
def nginx(folder: Path, upstream: int) -> Iterator[tuple[int, int]]:
    """Run nginx with the page's configuration; yield the ports of HTTP and HTTPS."""
    plain, tls = free_port(), free_port()
    subprocess.run(
        shlex.split(
            "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -keyout key.pem -out cert.pem "
            f"-subj /CN={NAME} -addext subjectAltName=DNS:{NAME}"
        ),
        cwd=folder,
        check=True,
        capture_output=True,
    )
    letsencrypt = f"/etc/letsencrypt/live/{NAME}"
    site = replaced(
        block("proxy_pass"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{tls} ssl;"),
        ("listen [::]:80;", f"listen [::1]:{plain};" if IPV6 else ""),
        ("listen [::]:443 ssl;", f"listen [::1]:{tls} ssl;" if IPV6 else ""),
        ("https://$host$", f"https://$host:{tls}$"),
        (f"{letsencrypt}/fullchain.pem", f"{folder}/cert.pem"),
        (f"{letsencrypt}/privkey.pem", f"{folder}/key.pem"),
        ("127.0.0.1:8000", f"127.0.0.1:{upstream}"),
    )
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    spools = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off;\nuser root;\npid {folder}/nginx.pid;\nerror_log {folder}/nginx.log warn;\n"
        f"{block('worker_connections')}\nhttp {{\naccess_log off;\n{spools}{site}}}\n"
    )
    command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with program(command, folder / "nginx.out") as running:

        def up() -> bool:
            words = (folder / "nginx.out").read_text()
            assert running.poll() is None, words
            trusting(folder).wrap_socket(connect(tls), server_hostname=NAME).close()
            return True

        until(up)
        yield plain, tls


def connect(port: int) -> socket.socket:
    """Return a connection to a port of this machine."""
    return socket.create_connection(("127.0.0.1", port), timeout=20)


def trusting(folder: Path) -> ssl.SSLContext:
    """Return how to talk to who holds the certificate of a folder."""
    return ssl.create_default_context(cafile=str(folder / "cert.pem"))
