"""Serve a hall: ``make run LAN=1``.

``python -m config.venue settings [ADDRESS] [--certificate]`` prints the variables under which the
site is served at the machine's own address on the local network, as lines for a shell; ``python
-m config.venue sign URL`` prints that address as a QR code. Nothing is asked of any network.
"""

import argparse
import ipaddress
import shlex
import socket
import sys
from pathlib import Path

import segno

from config import env, venue_certificate

ELSEWHERE = ("192.0.2.1", "10.255.255.254", "192.168.255.254", "172.31.255.254")
"""Addresses to which no packet is sent: the system only tells by which of its own it would."""
HERE = "127.0.0.1"


class NoAddressError(Exception):
    """There is no address to serve at; the message has the remedy."""


def own_addresses() -> list[str]:
    """Return the machine's IPv4 addresses on local networks, the usual one first."""
    found: list[str] = []
    for other in ELSEWHERE:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
            try:
                asking.connect((other, 9))
            except OSError:
                continue
            own = asking.getsockname()[0]
        if own not in found and not ipaddress.ip_address(own).is_loopback:
            found.append(own)
    return found


def address_to_serve(wanted: str) -> str:
    """Return the given address, or for ``1`` the machine's own.

    Raises NoAddressError.
    """
    if wanted in ("", "1"):
        known = own_addresses()
        if not known:
            raise NoAddressError(
                "This machine is on no network. Connect it to the hall's Wi-Fi first, or name "
                "its address: make run LAN=192.168.1.20"
            )
        return known[0]
    try:
        address = str(ipaddress.IPv4Address(wanted))
    except ValueError:
        raise NoAddressError(
            f"LAN must be 1 or an address such as 192.168.1.20, not {wanted}."
        ) from None
    with socket.socket() as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            raise NoAddressError(
                f"This machine does not have the address {address}. Its own: "
                f"{', '.join(own_addresses()) or 'none'}."
            ) from None
    return address


def variables(address: str, port: int, folder: Path | None = None) -> dict[str, str]:
    """Return the variables of a site served at an address, with a certificate kept in a folder."""
    scheme = "https" if folder else "http"
    places = dict.fromkeys((f"{HERE}:{port}", f"{address}:{port}"))
    found = {
        "LAN": "1",
        "SITE_ADDRESS": f"{scheme}://{address}:{port}",
        "ALLOWED_HOSTS": ",".join(dict.fromkeys(("localhost", HERE, "[::1]", address))),
        "CSRF_TRUSTED_ORIGINS": f"{scheme}://{address}:{port}",
        "LISTEN": " ".join(places),
        "HTTPS": "1" if folder else "0",
        "SIGN_UP": env.choice("SIGN_UP", "invitation", ("open", "invitation")),
    }
    if folder:
        made = venue_certificate.certificate(folder, address)
        found |= {
            "LISTEN": ",".join(places),
            "CERTIFICATE": str(made.chain),
            "CERTIFICATE_KEY": str(made.key),
            "VENUE_AUTHORITY": str(made.authority),
        }
    return found


def main(arguments: list[str]) -> int:
    """Print the requested values; return 0, or 1 and print a sentence without an address."""
    parser = argparse.ArgumentParser(prog="python -m config.venue", description=__doc__)
    asked = parser.add_subparsers(dest="asked", required=True)
    shown = asked.add_parser("settings")
    shown.add_argument("address", nargs="?", default="1")
    shown.add_argument("--port", type=int, default=8000)
    shown.add_argument("--certificate", action="store_true")
    shown.add_argument("--folder", type=Path, default="certificate")
    asked.add_parser("sign").add_argument("url")
    parsed = parser.parse_args(arguments)
    if parsed.asked == "sign":
        segno.make(parsed.url, micro=False, error="m").terminal(compact=True)
        return 0
    env.load(env.file_beside(Path(__file__).resolve().parent.parent))
    try:
        address = address_to_serve(parsed.address)
    except NoAddressError as missing:
        sys.stderr.write(f"{missing}\n")
        return 1
    found = variables(address, parsed.port, parsed.folder.resolve() if parsed.certificate else None)
    lines = (f"export {name}={shlex.quote(value)}\n" for name, value in found.items())
    sys.stdout.writelines(lines)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
