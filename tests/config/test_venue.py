"""A hall served from a laptop: its address, its certificate, and who it lets in."""

import contextlib
import socket
import ssl
import stat
import threading
from datetime import UTC, datetime, timedelta

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from django.core.management import call_command
from django.test import Client, RequestFactory

from accounts.models import User
from config import venue
from config import venue as venue_certificate
from config.addresses import absolute_url


def test_the_own_address_is_one_of_this_machine():
    for address in venue.local_addresses():
        assert not address.startswith("127.")
        with socket.socket() as probe:
            probe.bind((address, 0))


@pytest.mark.parametrize("wanted", ["yes", "192.168.1", "::1", "203.0.113.9"])
def test_an_address_of_another_machine_is_a_sentence(wanted):
    with pytest.raises(venue.NoAddressError, match="address"):
        venue.choose_serving_address(wanted)


def test_a_machine_on_no_network_says_what_to_do(monkeypatch):
    monkeypatch.setattr(venue, "local_addresses", list)
    with pytest.raises(venue.NoAddressError, match=r"girone hall 192\.168"):
        venue.choose_serving_address("1")


def test_the_hall_and_the_machine_itself_are_served():
    found = venue.hall_settings("192.168.1.20", 8124, 8123, None)
    assert found["SITE_ADDRESS"] == "http://192.168.1.20:8124"
    assert found["LISTEN"].split() == ["127.0.0.1:8123", "192.168.1.20:8124"]
    assert found["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]", "192.168.1.20"]
    assert venue.hall_environment()["HTTPS"] == "0"  # or phones would not keep cookies


@pytest.mark.parametrize(
    ("host", "address"),
    [
        ("127.0.0.1:8123", "http://192.168.1.20:8123/e/"),
        ("localhost", "http://192.168.1.20:8123/e/"),
        ("192.168.1.20:8123", "http://192.168.1.20:8123/e/"),
        ("sala.example", "http://sala.example/e/"),
    ],
)
def test_codes_made_on_the_laptop_lead_phones_to_it(settings, host, address):
    settings.ALLOWED_HOSTS = ["*"]
    settings.SITE_ADDRESS = "http://192.168.1.20:8123"
    assert absolute_url(RequestFactory().get("/", headers={"host": host}), "/e/") == address


def test_without_a_hall_addresses_are_those_asked_for(settings):
    settings.ALLOWED_HOSTS = ["*"]
    asked = RequestFactory().get("/", headers={"host": "127.0.0.1:8000"})
    assert absolute_url(asked, "/e/") == "http://127.0.0.1:8000/e/"


# --- The certificate -----------------------------------------------------------------------
@contextlib.contextmanager
def tls(chain, key):
    """Serve one handshake after another on a free port of this machine; return the port."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(chain, key)
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        with contextlib.suppress(OSError):
            while True:
                connection, _address = listener.accept()
                with contextlib.suppress(OSError):
                    context.wrap_socket(connection, server_side=True).close()

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield listener.getsockname()[1]
    finally:
        listener.close()


def shake_hands(port, authority, name):
    context = ssl.create_default_context(cafile=str(authority))
    with socket.create_connection(("127.0.0.1", port)) as plain:
        context.wrap_socket(plain, server_hostname=name).close()


def test_a_phone_that_trusts_the_authority_trusts_the_site(tmp_path):
    made = venue_certificate.ensure_certificate(tmp_path / "certificate", "192.168.1.20")
    with tls(made.chain, made.key) as port:
        for name in ("192.168.1.20", "127.0.0.1", "localhost"):
            shake_hands(port, made.authority, name)
        with pytest.raises(ssl.SSLCertVerificationError):
            shake_hands(port, made.authority, "192.168.1.21")


def test_the_authority_can_not_pass_for_a_site_of_the_internet(tmp_path):
    made = venue_certificate.ensure_certificate(tmp_path, "192.168.1.20")
    authority = x509.load_pem_x509_certificate(made.authority.read_bytes())
    stolen = serialization.load_pem_private_key((tmp_path / "authority.key").read_bytes(), None)
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    names = x509.SubjectAlternativeName([x509.DNSName("bank.example")])
    false = (
        x509.CertificateBuilder(authority.subject, x509.Name([]), key.public_key(), 7)
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=9))
        .add_extension(names, critical=False)
        .sign(stolen, hashes.SHA256())
    )
    pem = serialization.Encoding.PEM
    (tmp_path / "false.pem").write_bytes(false.public_bytes(pem))
    plain = (pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    (tmp_path / "false.key").write_bytes(key.private_bytes(*plain))
    with (
        tls(tmp_path / "false.pem", tmp_path / "false.key") as port,
        pytest.raises(ssl.SSLCertVerificationError, match="permitted subtree violation"),
    ):
        shake_hands(port, made.authority, "bank.example")


def test_keys_are_for_their_owner_alone_and_the_authority_stays(tmp_path):
    folder = tmp_path / "certificate"
    made = venue_certificate.ensure_certificate(folder, "192.168.1.20")
    for path, mode in ((folder, 0o700), (made.key, 0o600), (folder / "authority.key", 0o600)):
        assert stat.S_IMODE(path.stat().st_mode) == mode
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    venue_certificate.ensure_certificate(folder, "192.168.1.20")
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    venue_certificate.ensure_certificate(folder, "10.0.0.7")  # another hall, the same phones
    after = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert {name for name in before if before[name] != after[name]} == {"site.pem", "site.key"}


def test_a_certificate_that_ends_is_made_anew_and_phones_accept_its_span(tmp_path):
    first = venue_certificate.ensure_certificate(tmp_path, "10.0.0.7")
    found = x509.load_pem_x509_certificate(first.chain.read_bytes())
    assert found.not_valid_after_utc - found.not_valid_before_utc < timedelta(days=825)
    for days in (85, 300):
        moment = datetime.now(UTC) + timedelta(days=days)
        made = venue_certificate.ensure_certificate(tmp_path, "10.0.0.7", now=moment)
        for path in (made.chain, made.authority):
            (kept, *_more) = x509.load_pem_x509_certificates(path.read_bytes())
            assert kept.not_valid_after_utc > moment + timedelta(days=7)


@pytest.mark.django_db
def test_phones_get_the_authority_and_nothing_else(settings, tmp_path):
    assert Client().get("/girone-ca.crt").status_code == 404
    made = venue_certificate.ensure_certificate(tmp_path, "10.0.0.7")
    settings.VENUE_AUTHORITY = str(made.authority)
    answer = Client().get("/girone-ca.crt")
    assert answer["Content-Type"] == "application/x-x509-ca-cert"
    found = x509.load_der_x509_certificate(answer.content)
    assert found == x509.load_pem_x509_certificate(made.authority.read_bytes())


@pytest.mark.deep
@pytest.mark.django_db
def test_nobody_of_the_hall_signs_in_by_the_demos_password(settings, capsys):
    settings.ONLY_HERE = True
    call_command("demo", site=True)
    form = {"login": "organiser@example.org", "password": "girone-demo"}
    assert Client().post("/accounts/login/", form).status_code == 302
    own = User.objects.get(email="judge@example.org")
    own.set_password("sala-grande-9")
    own.save()
    capsys.readouterr()
    call_command("demo", close=True)
    assert "organiser@example.org" in capsys.readouterr().out
    assert Client().post("/accounts/login/", form).status_code == 200
    own.refresh_from_db()
    assert own.check_password("sala-grande-9")
