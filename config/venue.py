"""A hall served from a laptop: its address, variables and certificate. No network is asked.

The certificate is signed by an authority of the site's own. The authority lasts a year and may only
speak for addresses of local networks: whoever steals its key can't pass for any site of the
internet to a phone that trusts it. The site's certificate is made anew for another address, and
before it ends.
"""

import ipaddress
import socket
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, cast

import segno
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from config import env, systems
from config.terminal import gettext as _

LOCAL = ("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "127.0.0.0/8")
LOCAL_ADDRESSES = ("127.0.0.1",)
THIS_MACHINE = ("localhost", "127.0.0.1", "[::1]")
AUTHORITY_DAYS = 365
SITE_DAYS = 90
"""Days that a certificate lasts; phones refuse those of more than 825."""
SPARE = timedelta(days=7)
EARLIER = timedelta(days=1)  # clocks of phones differ
Key = ec.EllipticCurvePrivateKey


@dataclass(frozen=True, slots=True)
class CertificateFiles:
    """Paths of a venue's certificate files (PEM).

    ``chain`` and ``key`` are the site's; ``authority`` is the root certificate that phones install.
    """

    chain: Path
    key: Path
    authority: Path


def ensure_certificate(
    folder: Path, address: str, *, now: datetime | None = None
) -> CertificateFiles:
    """Return the certificate files for an IP address; create them if none is valid.

    folder: where they are kept. A certificate must be valid for another seven days. now: for tests.
    """
    now = now or datetime.now(UTC)
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    files = CertificateFiles(folder / "site.pem", folder / "site.key", folder / "authority.pem")
    signer_file = folder / "authority.key"
    authority = _read_if_valid_until(files.authority, now + timedelta(days=SITE_DAYS) + SPARE)
    if authority is None or not signer_file.exists():
        authority, signer = _make_authority(now)
        _write_file(signer_file, _pem(signer), mode=0o600)
        _write_file(files.authority, authority.public_bytes(serialization.Encoding.PEM))
    else:
        signer = _read_key(signer_file)
    site = _read_if_valid_until(files.chain, now + SPARE)
    fits = site is not None and site.issuer == authority.subject and address in _addresses(site)
    if not (fits and files.key.exists()):
        key = ec.generate_private_key(ec.SECP256R1())
        site = _make_site_certificate(address, key, authority, signer, now)
        parts = (each.public_bytes(serialization.Encoding.PEM) for each in (site, authority))
        _write_file(files.key, _pem(key), mode=0o600)
        _write_file(files.chain, b"".join(parts))
    return files


def _make_authority(now: datetime) -> tuple[x509.Certificate, Key]:
    key = ec.generate_private_key(ec.SECP256R1())
    name = _subject_name(f"Girone, {now:%Y-%m-%d %H:%M:%S}")
    nets = [x509.IPAddress(ipaddress.ip_network(net)) for net in LOCAL]
    limits = x509.NameConstraints([*nets, x509.DNSName("localhost")], None)
    usage = x509.KeyUsage(
        **dict.fromkeys(("key_cert_sign", "crl_sign", "digital_signature"), True),
        **dict.fromkeys(("content_commitment", "key_encipherment", "data_encipherment"), False),
        **dict.fromkeys(("key_agreement", "encipher_only", "decipher_only"), False),
    )
    made = (
        _certificate_builder(name, name, key, now, AUTHORITY_DAYS)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .add_extension(limits, critical=True)
        .add_extension(usage, critical=True)
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
    )
    return made.sign(key, hashes.SHA256()), key


def _make_site_certificate(
    address: str, key: Key, authority: x509.Certificate, signer: Key, now: datetime
) -> x509.Certificate:
    places = [ipaddress.ip_address(each) for each in dict.fromkeys((address, *LOCAL_ADDRESSES))]
    names = x509.SubjectAlternativeName(
        [*(x509.IPAddress(place) for place in places), x509.DNSName("localhost")]
    )
    issuer = x509.AuthorityKeyIdentifier.from_issuer_public_key(signer.public_key())
    made = (
        _certificate_builder(_subject_name(address), authority.subject, key, now, SITE_DAYS)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(names, critical=False)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .add_extension(issuer, critical=False)
    )
    return made.sign(signer, hashes.SHA256())


def _certificate_builder(
    name: x509.Name, issuer: x509.Name, key: Key, now: datetime, days: int
) -> x509.CertificateBuilder:
    return (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - EARLIER)
        .not_valid_after(now + timedelta(days=days))
    )


def _subject_name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _read_if_valid_until(path: Path, until: datetime) -> x509.Certificate | None:
    """Return the first certificate of a file if it lasts so long, else None."""
    if not path.exists():
        return None
    found = x509.load_pem_x509_certificates(path.read_bytes())[0]
    return found if found.not_valid_after_utc > until else None


def _addresses(site: x509.Certificate) -> list[str]:
    names = site.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return [str(place) for place in names.get_values_for_type(x509.IPAddress)]


def _read_key(path: Path) -> Key:
    found = serialization.load_pem_private_key(path.read_bytes(), password=None)
    return cast(Key, found)  # no other kind is ever written there


def _pem(key: Key) -> bytes:
    return key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


def _write_file(path: Path, data: bytes, *, mode: int = 0o644) -> None:
    """Write a file as a whole; others never read a key, not even while it is written."""
    draft = path.with_name(f"{path.name}.new")
    draft.unlink(missing_ok=True)
    with systems.create_file(draft, mode) as file:
        file.write(data)
    systems.replace_file(draft, path)


ELSEWHERE = ("192.0.2.1", "10.255.255.254", "192.168.255.254", "172.31.255.254")
"""Addresses to which no packet is sent: the system only tells by which of its own it would."""
HERE = "127.0.0.1"


class NoAddressError(Exception):
    """The machine has no network address to serve at; the message says what to do."""


def local_addresses() -> list[str]:
    """Return this machine's IPv4 addresses on local networks, the preferred one first."""
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


def choose_serving_address(wanted: str) -> str:
    """Return the IPv4 address at which to serve a hall.

    wanted: an address of this machine, or "" or "1" for its preferred one. Raises NoAddressError.
    """
    if wanted in ("", "1"):
        known = local_addresses()
        if not known:
            raise NoAddressError(
                _("This laptop is on no network. Connect it, or run: girone hall 192.168.1.20")
            )
        return known[0]
    try:
        address = str(ipaddress.IPv4Address(wanted))
    except ValueError:
        raise NoAddressError(_("Enter an address such as 192.168.1.20.")) from None
    with socket.socket() as probe:
        try:
            probe.bind((address, 0))
        except OSError:
            words = _("This laptop’s address is %(own)s, not %(other)s.")
            own = ", ".join(local_addresses()) or "–"
            raise NoAddressError(words % {"other": address, "own": own}) from None
    return address


def hall_environment() -> dict[str, str]:
    """Return the environment variables for serving in a hall; they override ``.env``."""
    return {
        "LAN": "1",
        "HTTPS": "0",
        "ALLOWED_HOSTS": ",".join(THIS_MACHINE),
        "SITE_ADDRESS": "",
        "CSRF_TRUSTED_ORIGINS": "",
        "SIGN_UP": hall_sign_up_policy(),
    }


def hall_sign_up_policy() -> str:
    """Return the value of ``SIGN_UP`` for a hall: "invitation" unless the variable is set."""
    return env.choice("SIGN_UP", "invitation", ("open", "invitation"))


def hall_settings(
    address: str, port: int, own: int, files: CertificateFiles | None
) -> dict[str, Any]:
    """Return the settings to change while a hall is served at an address and port.

    own: the port at 127.0.0.1. files: the certificate's, None for plain HTTP.
    """
    return {
        "SITE_ADDRESS": f"{'https' if files else 'http'}://{address}:{port}",
        "ALLOWED_HOSTS": list(dict.fromkeys((*THIS_MACHINE, address))),
        "LISTEN": f"{HERE}:{own} {address}:{port}",
        "SIGN_UP": hall_sign_up_policy(),
        "ONLY_HERE": False,
        "VENUE_AUTHORITY": str(files.authority) if files else "",
    }


def print_qr_code(url: str) -> None:
    """Print a URL as a QR code in the terminal."""
    segno.make(url, micro=False, error="m").terminal(compact=True)
