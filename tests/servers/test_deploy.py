"""The files of ``deploy/``: units, drop-ins, the image's steps and the compose file."""

import importlib.machinery
import importlib.util
import os
import re
import shlex
import subprocess
from contextlib import suppress
from pathlib import Path

import pytest
import yaml

from config import env
from tests.servers import documented
from tests.servers.running import ROOT, needs


def page(name: str) -> str:
    return (ROOT / "docs" / name).read_text()


def trial():
    """Return the program that runs the image's steps."""
    place = str(documented.DEPLOY / "try-dockerfile")
    loader = importlib.machinery.SourceFileLoader("try_dockerfile", place)
    found = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(found)
    return found


@pytest.mark.deep
@pytest.mark.skipif(bool(needs("systemd-analyze")), reason="needs systemd-analyze")
def test_units_and_drop_ins_are_read_by_systemd(tmp_path):
    for source in (documented.DEPLOY / "systemd").rglob("*.*"):
        if source.is_file():
            goal = tmp_path / source.relative_to(documented.DEPLOY / "systemd")
            goal.parent.mkdir(exist_ok=True)
            goal.write_text(source.read_text().replace("/opt/girone/bin/girone", "/bin/true"))
    (tmp_path / "broken.service").write_text("[Service]\nExecStrat=/bin/true\n")
    units = [path.name for path in tmp_path.iterdir() if path.is_file()]
    assert len(units) > 4
    for name in units:
        done = subprocess.run(
            ["systemd-analyze", "verify", str(tmp_path / name)],  # noqa: S607
            capture_output=True,
            text=True,
        )
        complaints = [line for line in done.stderr.splitlines() if str(tmp_path.name) in line]
        complaints = [line for line in complaints if "is not executable" not in line]
        assert bool(complaints) == (name == "broken.service"), done.stderr


def test_every_file_is_named_by_the_docs():
    told = page("hosting.md") + page("deploying.md") + page("scaling.md")
    found = documented.DEPLOY.rglob("*")
    files = [path for path in found if path.is_file() and path.suffix != ".pyc"]
    assert len(files) > 8
    for path in files:
        parts = path.relative_to(documented.DEPLOY).parts
        assert any(name in told for name in (parts[-1], f"deploy/{'/'.join(parts)}")), path


def test_what_the_docs_copy_is_there():
    told = page("hosting.md") + page("deploying.md") + page("scaling.md")
    named = set(re.findall(r"\(\.\./(deploy/[\w./-]+)\)", told))
    assert len(named) > 4
    for name in named:
        assert (ROOT / name).exists(), name


def test_the_image_holds_the_program_and_no_more():
    steps = trial().steps((documented.DEPLOY / "Dockerfile").read_text())
    known = {"FROM", "RUN", "COPY", "ENV", "WORKDIR", "USER", "VOLUME", "EXPOSE", "HEALTHCHECK"}
    assert {word for word, _rest in steps} == known | {"CMD"}
    copied = {name for word, rest in steps if word == "COPY" for name in rest.split()[:-1]}
    kept = {
        line.removeprefix("!")
        for line in (ROOT / ".dockerignore").read_text().splitlines()
        if line.startswith("!")
    }
    assert copied == kept
    assert all((ROOT / name).exists() for name in copied)
    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}
    assert packages - {"bench", "tests"} <= copied
    # it is not root who serves, and nothing asks for the build's key
    words = [word for word, _rest in steps]
    assert dict(steps)["USER"] == "girone"
    assert words.index("USER") < words.index("CMD")
    assert not [rest for word, rest in steps if word == "ENV" and "SECRET_KEY" in rest]


def compose(name="compose.large.yaml"):
    """Return a compose file, with every variable that it asks for set."""
    text = (documented.DEPLOY / name).read_text()
    return yaml.safe_load(re.sub(r"(?<!\$)\$\{(\w+)[^}]*\}", r"value-of-\1", text))


def test_the_sites_of_the_large_compose_file_share_what_they_must(monkeypatch):
    services = compose()["services"]
    one, other = services["one"], services["other"]
    assert {key: one[key] for key in one} == {key: other[key] for key in other}
    assert one["read_only"] is True
    assert one["tmpfs"] == ["/tmp"]  # noqa: S108
    settings = one["environment"]
    for name, value in settings.items():
        monkeypatch.setenv(name, value)
    assert env.database("DATABASE_URL", Path())["HOST"] == "db"
    assert str(env.caches("CACHE_URL", folder="")).count("redis://redis:6379/0")
    assert {"db", "redis", "nginx", "migrate"} <= set(services)
    told = (ROOT / ".env.example").read_text()
    assert [name for name in settings if f"{name}=" not in told] == []
    assert settings["DATABASE_URL"].split(":")[2].split("@")[0] == "value-of-POSTGRES_PASSWORD"
    assert services["db"]["environment"]["POSTGRES_PASSWORD"] == "value-of-POSTGRES_PASSWORD"


def test_nginx_of_the_large_compose_file_knows_both_sites_and_the_name(tmp_path):
    shell, _c, line = compose()["services"]["nginx"]["command"]
    made = tmp_path / "default.conf"
    command = line.replace("$$", "$").partition("&&")[0]
    command = command.replace("/girone.conf", str(documented.DEPLOY / "nginx/girone.conf"))
    command = command.replace("/etc/nginx/conf.d/default.conf", str(made))
    with suppress(FileNotFoundError):
        made.unlink()
    subprocess.run([shell, "-c", command], env={**os.environ, "SITE": "cup.example"}, check=True)
    text = made.read_text()
    (upstream,) = re.findall(r"upstream girone \{(.*?)\}", text, re.DOTALL)
    assert re.findall(r"server (\S+) ", upstream) == ["one:8000", "other:8000"]
    assert "girone.example" not in text
    assert text.count("server_name cup.example;") == 2
    assert "[::]" not in text


def test_the_usual_compose_file_has_one_site_with_copies_behind_caddy(tmp_path):
    services = compose("compose.yaml")["services"]
    assert set(services) >= {"migrate", "site", "backups", "caddy"}
    told = (ROOT / ".env.example").read_text()
    assert [name for name in services["site"]["environment"] if f"{name}=" not in told] == []
    image = (documented.DEPLOY / "Dockerfile").read_text()
    kept = [volume.partition(":")[2] for volume in services["site"]["volumes"]]
    assert all(f"VOLUME {place}\n" in image for place in kept)
    for name in ("migrate", "backups"):
        shell = services[name]["command"][-1].replace("$$", "$")
        assert subprocess.run(["sh", "-nc", shell]).returncode == 0  # noqa: S607
        assert "manage.py backup /var/backups/girone" in shell
    line = services["caddy"]["command"][-1].replace("$$", "$").partition("&&")[0]
    made = tmp_path / "Caddyfile"
    line = line.replace("/tmp/Caddyfile", str(made))  # noqa: S108
    line = line.replace(" /girone.caddy", f" {documented.DEPLOY / 'caddy/girone.caddy'}")
    command = ["sh", "-c", line]
    subprocess.run(command, env={**os.environ, "SITE": "cup.example"}, check=True)
    text = made.read_text()
    assert "\ncup.example {" in text
    assert "reverse_proxy site:8000" in text
    assert "127.0.0.1" not in text


@pytest.mark.deep
@pytest.mark.processes
@pytest.mark.skipif(
    bool(needs("debootstrap")) or os.getuid() != 0 or not os.environ.get("TRY_IMAGE"),
    reason="downloads a Debian: as root, with debootstrap and TRY_IMAGE=1",
)
def test_the_steps_of_the_image_make_a_site_that_is_well(tmp_path):
    command = shlex.split(str(documented.DEPLOY / "try-dockerfile"))
    done = subprocess.run([*command, str(tmp_path)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-3000:]
    assert not Path("/proc/mounts").read_text().count(str(tmp_path))
