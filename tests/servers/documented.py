"""What ``docs/hosting.md`` has people run: the files of ``deploy/``."""

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
DEPLOY = ROOT / "deploy"
IPV6 = Path("/proc/net/if_inet6").exists() and bool(Path("/proc/net/if_inet6").read_text())


def text_of(name: str) -> str:
    """Return a file of ``deploy/``."""
    return (DEPLOY / name).read_text()


def started_by(name: str) -> list[str]:
    """Return what a unit or drop-in starts, with the programs of this installation."""
    starts = re.findall(r"^ExecStart=(.+)$", text_of(f"systemd/{name}"), re.MULTILINE)
    return shlex.split(
        starts[-1].replace("/opt/girone/bin/girone", f"{BIN}/python -m config.program")
    )


def commands() -> dict[str, list[str]]:
    """Return how the units start each server."""
    return {
        "gunicorn": started_by("girone.service"),
        "waitress": [str(BIN / "python"), "-m", "config.server"],
    }


def replaced(text: str, *pairs: tuple[str, str]) -> str:
    """Return a text with each part replaced; each must be there."""
    for old, new in pairs:
        assert old in text, f"{old} is not in the documented configuration"
        text = text.replace(old, new)
    return text


@contextmanager
def server(kind: str, folder: Path, **more: str) -> Iterator[int]:
    """Serve a site as its unit does; yield its port."""
    port = free_port()
    settings = BEHIND_PROXY | {"LISTEN": f"127.0.0.1:{port}"} | more
    with serving(commands()[kind], folder, port, **settings):
        yield port


@contextmanager
def nginx_of(folder: Path, site: str, how: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run nginx with a configured site, as many connections as documented, and its own files."""
    kinds = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    spools = "".join(f"{kind}_temp_path {folder}/{kind};\n" for kind in kinds)
    (folder / "nginx.conf").write_text(
        f"daemon off;\n{how}\npid {folder}/nginx.pid;\nerror_log {folder}/nginx.log warn;\n"
        f"{text_of('nginx/events.conf')}\nhttp {{\naccess_log off;\n{spools}{site}}}\n"
    )
    command = ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]
    with program(command, folder / "nginx.out") as running:
        yield running


@contextmanager
def nginx(folder: Path, *upstream: int) -> Iterator[tuple[int, int]]:
    """Run nginx as configured before sites on these ports; yield the ports of HTTP and HTTPS."""
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
    line = "    server 127.0.0.1:8000 max_fails=3 fail_timeout=5s;"
    site = replaced(
        text_of("nginx/girone.conf"),
        ("listen 80;", f"listen 127.0.0.1:{plain};"),
        ("listen 443 ssl;", f"listen 127.0.0.1:{tls} ssl;"),
        ("listen [::]:80;", f"listen [::1]:{plain};" if IPV6 else ""),
        ("listen [::]:443 ssl;", f"listen [::1]:{tls} ssl;" if IPV6 else ""),
        ("https://$host$", f"https://$host:{tls}$"),
        (f"{letsencrypt}/fullchain.pem", f"{folder}/cert.pem"),
        (f"{letsencrypt}/privkey.pem", f"{folder}/key.pem"),
        (line, "\n".join(line.replace("8000", str(port)) for port in upstream)),
    )
    with nginx_of(folder, site, "user root;") as running:

        def up() -> bool:
            words = (folder / "nginx.out").read_text()
            assert running.poll() is None, words
            trusting(folder).wrap_socket(connect(tls), server_hostname=NAME).close()
            return True

        until(up)
        yield plain, tls


def connect(port: int, source: str = "127.0.0.1") -> socket.socket:
    """Return a connection to a port of this machine, from an address of the loopback net."""
    return socket.create_connection(("127.0.0.1", port), timeout=20, source_address=(source, 0))


def trusting(folder: Path) -> ssl.SSLContext:
    """Return how to talk to who holds the certificate of a folder."""
    return ssl.create_default_context(cafile=str(folder / "cert.pem"))
