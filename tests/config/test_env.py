"""The environment is read with types, and a wrong value is named."""

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config import env

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize(
    ("text", "value"), [("1", True), ("YES", True), ("off", False), ("", False)]
)
def test_a_flag_reads_many_words(monkeypatch, text, value):
    monkeypatch.setenv("DEBUG", text)
    assert env.boolean("DEBUG", default=not value) is value


def test_unset_variables_have_their_default(monkeypatch):
    monkeypatch.delenv("NOT_SET", raising=False)
    assert env.boolean("NOT_SET", default=True) is True
    assert env.number("NOT_SET", 7) == 7
    assert env.comma_separated_values("NOT_SET", ("a",)) == ["a"]
    assert env.cache("NOT_SET")["BACKEND"].endswith("LocMemCache")
    assert env.mail("NOT_SET")["EMAIL_BACKEND"].endswith("dummy.EmailBackend")


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (lambda: env.boolean("WRONG", default=True), "perhaps"),
        (lambda: env.number("WRONG", 1, minimum=1), "0"),
        (lambda: env.number("WRONG", 1), "-3"),
        (lambda: env.choice("WRONG", "a", ("a", "b")), "c"),
        (lambda: env.origins("WRONG"), "girone.example"),
        (lambda: env.database("WRONG", Path()), "mysql://x"),
        (lambda: env.cache("WRONG"), "memcached://x"),
        (lambda: env.time_zone("WRONG", "Europe/Rome"), "Mars"),
        (lambda: env.time_zone("WRONG", "Europe/Rome"), "../etc"),
        (lambda: env.ensure_folder(Path("/proc/nowhere"), "WRONG"), "/proc/nowhere"),
        (lambda: env.file_path("WRONG"), "/nowhere/girone.log"),
    ],
)
def test_a_wrong_value_is_refused_by_name_and_not_repeated(monkeypatch, read, text):
    monkeypatch.setenv("WRONG", text)
    with pytest.raises(ImproperlyConfigured, match="WRONG") as refused:
        read()
    assert f" {text}" not in str(refused.value).replace("0 or more", "")


def test_a_list_ignores_blanks(monkeypatch):
    monkeypatch.setenv("HOSTS", " a.example, ,b.example ")
    assert env.comma_separated_values("HOSTS") == ["a.example", "b.example"]


def test_the_secret_key_is_made_once_and_private(tmp_path, monkeypatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    place = tmp_path / ".secret-key"
    first = env.secret_key("SECRET_KEY", kept_in=place, may_create=True)
    assert len(first) > 60
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert env.secret_key("SECRET_KEY", kept_in=place, may_create=True) == first
    assert {each.name for each in tmp_path.iterdir()} <= {".secret-key", ".secret-key.lock"}


def test_a_public_site_must_be_given_its_key(tmp_path, monkeypatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        env.secret_key("SECRET_KEY", kept_in=tmp_path / "key", may_create=False)
    monkeypatch.setenv("SECRET_KEY", "short")
    with pytest.raises(ImproperlyConfigured, match="SECRET_KEY"):
        env.secret_key("SECRET_KEY", kept_in=tmp_path / "key", may_create=True)


def test_postgres_is_read_from_one_address(monkeypatch):
    monkeypatch.setenv("DATABASE_URL", "postgres://anna:secret@127.0.0.1:5433/girone")
    found = env.database("DATABASE_URL", Path())
    assert found["ENGINE"] == "django.db.backends.postgresql"
    assert (found["HOST"], found["PORT"], found["NAME"]) == ("127.0.0.1", 5433, "girone")


def test_a_file_sets_what_the_environment_does_not(monkeypatch, tmp_path):
    monkeypatch.setenv("SET_ALREADY", "here")
    for name in ("FROM_FILE", "QUOTED"):
        monkeypatch.setenv(name, "")  # so that it is unset again after the test
        monkeypatch.delenv(name)
    path = tmp_path / ".env"
    path.write_text("# a comment\n\nSET_ALREADY=file\nFROM_FILE=a#b=c\nQUOTED='x # y'\n")
    env.load_file(path)
    assert env.text("SET_ALREADY") == "here"
    assert env.text("FROM_FILE") == "a#b=c"
    assert env.text("QUOTED") == "x # y"


@pytest.mark.parametrize("line", ["DEBUG", "DEBUG 1", "DEBUG=1 # on", "=1", " HTTPS=1", "A='b"])
def test_a_line_that_says_nothing_is_refused_by_its_number(tmp_path, line):
    path = tmp_path / ".env"
    path.write_text(f"# first\n{line}\n")
    with pytest.raises(ImproperlyConfigured, match=r"Line 2 of .*\.env"):
        env.load_file(path)


def test_a_file_that_is_no_text_is_refused_and_none_is_no_fault(tmp_path):
    env.load_file(tmp_path / "nowhere")
    env.load_file(None)
    (tmp_path / ".env").write_bytes(b"A=\xff\xfe")
    with pytest.raises(ImproperlyConfigured, match="can’t be read"):
        env.load_file(tmp_path / ".env")


def test_the_file_may_be_another_or_none(monkeypatch, tmp_path):
    monkeypatch.delenv("ENV_FILE", raising=False)
    assert env.environment_file(tmp_path) == tmp_path / ".env"
    monkeypatch.setenv("ENV_FILE", "other.env")
    assert env.environment_file(tmp_path) == tmp_path / "other.env"
    monkeypatch.setenv("ENV_FILE", "")
    assert env.environment_file(tmp_path) is None


@pytest.mark.deep
@pytest.mark.parametrize("command", [["manage.py", "shell", "-c"], ["-c"]])
def test_the_site_and_every_command_read_the_same_file(tmp_path, command):
    path = tmp_path / "site.env"
    path.write_text(f"DATABASE_URL=sqlite:///{tmp_path}/other.sqlite3\nTIME_ZONE=Asia/Tokyo\n")
    code = (
        "import config.wsgi; from django.conf import settings;"
        "print(settings.DATABASES['default']['NAME'], settings.TIME_ZONE)"
    )
    environment = {**os.environ, "ENV_FILE": str(path), "TIME_ZONE": "Europe/Paris"}
    environment.pop("DATABASE_URL", None)
    ran = subprocess.run(
        [sys.executable, *command, code],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"{tmp_path}/other.sqlite3 Europe/Paris" in ran.stdout, ran.stderr


def test_every_variable_stands_in_the_example():
    code = "".join(path.read_text() for path in sorted((ROOT / "config").glob("*.py")))
    read = re.findall(r"""env\.\w+\(\s*["'](\w+)["']""", code)
    listed = re.findall(r"^# ([A-Z_]+)=", (ROOT / ".env.example").read_text(), re.MULTILINE)
    assert len(read) > 10
    assert set(listed) == {*read, "ENV_FILE", "GIRONE_DATA"}
    assert len(listed) == len(set(listed))


def test_the_example_can_be_used_as_it_is():
    env.load_file(ROOT / ".env.example")
    text = re.sub(r"^# (?=[A-Z_]+=)", "", (ROOT / ".env.example").read_text(), flags=re.MULTILINE)
    assert [line for line in text.splitlines() if not env.LINE.fullmatch(line)] == []
