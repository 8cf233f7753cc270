"""The environment is read with types, and a wrong value is named."""

import stat

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("YES", True), ("off", False), ("", False)]
)
def test_a_flag_reads_many_words(monkeypatch, text, value):
    monkeypatch.setenv("DEBUG", text)
    assert env.flag("DEBUG", default=not value) is value


def test_unset_variables_have_their_default(monkeypatch):
    monkeypatch.delenv("NOT_SET", raising=False)
    assert env.flag("NOT_SET", default=True) is True
    assert env.number("NOT_SET", 7) == 7
    assert env.words("NOT_SET", ("a",)) == ["a"]
    assert env.cache("NOT_SET")["BACKEND"].endswith("LocMemCache")
    assert env.mail("NOT_SET")["EMAIL_BACKEND"].endswith("console.EmailBackend")


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (lambda: env.flag("WRONG", default=True), "perhaps"),
        (lambda: env.number("WRONG", 1, minimum=1), "0"),
        (lambda: env.number("WRONG", 1), "-3"),
        (lambda: env.choice("WRONG", "a", ("a", "b")), "c"),
        (lambda: env.origins("WRONG"), "girone.example"),
        (lambda: env.database("WRONG", ""), "mysql://x"),
        (lambda: env.cache("WRONG"), "memcached://x"),
    ],
)
def test_a_wrong_value_is_refused_by_name_and_not_repeated(monkeypatch, read, text):
    monkeypatch.setenv("WRONG", text)
    with pytest.raises(ImproperlyConfigured, match="WRONG") as refused:
        read()
    assert f" {text}" not in str(refused.value).replace("0 or more", "")


def test_a_list_ignores_blanks(monkeypatch):
    monkeypatch.setenv("HOSTS", " a.example, ,b.example ")
    assert env.words("HOSTS") == ["a.example", "b.example"]


def test_the_secret_key_is_made_once_and_private(tmp_path, monkeypatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    place = tmp_path / ".secret-key"
    first = env.secret_key("SECRET_KEY", kept_in=place, may_create=True)
    assert len(first) > 60
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert env.secret_key("SECRET_KEY", kept_in=place, may_create=True) == first
    assert list(tmp_path.iterdir()) == [place]


def test_a_public_site_must_be_given_its_key(tmp_path, monkeypatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        env.secret_key("SECRET_KEY", kept_in=tmp_path / "key", may_create=False)
    monkeypatch.setenv("SECRET_KEY", "short")
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        env.secret_key("SECRET_KEY", kept_in=tmp_path / "key", may_create=True)


def test_postgres_is_read_from_one_address(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://anna:secret@127.0.0.1:5433/girone")
    found = env.database("DATABASE_URL", "")
    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("127.0.0.1", 5433, "girone")
