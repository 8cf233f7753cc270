"""``girone install-service`` and ``girone remove-service``: the site on a server with systemd.

Installing writes what ``deploy/`` holds, with this program's path and the site's name, and may be
repeated: it is also how an upgrade and a change of the settings take effect. The site goes on
meanwhile. A second process takes the requests while the first begins anew; if the data must be
changed for a new version, readers get a page that says so (``config.paused``). If that fails, the
former version and its data are put into service again.
"""

import argparse
import os
import pwd
import re
import secrets
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from django.core.management import CommandError

from config import VERSION
from config.data_folder import DATABASE, FAILED, PAUSED, PROGRAM, is_checkout
from config.systems import create_file, print_line

USER = "girone"
SITE = "girone.service"
BRIDGE = "girone-bridge.service"
BACKUP = "girone-backup.service"
IN_UNITS = "/opt/girone/bin/girone"
"""The program, as the units of ``deploy/`` name it."""
EXAMPLE = "girone.example"
HOST = re.compile(r"[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)+")
UNREADABLE = ("/root/", "/home/", "/run/user/")
"""Folders that the units hide from the site."""
IMPORT = "import girone.caddy\n"
FEW, MANY = "worker_connections 768;", "worker_connections 8192;"
"""nginx's connections as Debian sets them, and as a hall needs them."""

SETTINGS = """\
# Settings of the site; `girone install-service` puts a change into effect.
DEBUG=0
SECRET_KEY={key}
ALLOWED_HOSTS={names}
CSRF_TRUSTED_ORIGINS={origins}
SITE_ADDRESS=https://{name}
HTTPS=1
TRUSTED_PROXIES=1
# smtp+tls://user:password@host:587; without it the site sends no mail
EMAIL_URL=
"""
WRAPPER = """\
#!/bin/sh
# Runs commands of the site as its user; girone install-service wrote it.
case "$1" in install-service | remove-service) exec {program} "$@" ;; esac
exec runuser -u {user} -- env {variables} {program} "$@"
"""


class ServiceError(CommandError):
    """The service can't be installed; the message says what is wrong and what to do."""


class ServicePaths:
    """Paths of the service's files, below the file system's root."""

    def __init__(self, root: Path = Path("/")) -> None:
        self.root = root
        self.units = root / "etc/systemd/system"
        self.settings = root / "etc/girone/girone.env"
        self.data = root / "var/lib/girone"
        self.backups = root / "var/backups/girone"
        self.wrapper = root / "usr/local/bin/girone"
        self.caddy = root / "etc/caddy"
        self.nginx = root / "etc/nginx"

    @property
    def variables(self) -> dict[str, str]:
        """Return the variables of every process of the site."""
        return {"GIRONE_DATA": str(self.data), "ENV_FILE": str(self.settings), "LOG_FILE": ""}


def run_command(*command: str) -> None:
    """Run a command; raises ServiceError with its output if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode:
        raise ServiceError(f"{(done.stdout + done.stderr).rstrip()}\nFailed: {' '.join(command)}")


def systemctl(*words: str) -> None:
    """Run systemctl; without systemd only ``enable`` and ``disable``.

    words: its arguments.
    """
    if runs_systemd() or words[0] in ("enable", "disable"):
        now = [word for word in words if runs_systemd() or word != "--now"]
        run_command("systemctl", "--quiet", *now)


def runs_systemd() -> bool:
    """Return whether systemd is running; it isn't while a container is being built."""
    return Path("/run/systemd/system").is_dir()


def run_as_user(places: ServicePaths, *arguments: str, by: str = "") -> str:
    """Run a management command as the site's user; return its output.

    by: path of another version's program, "" for this one. Raises ServiceError if it fails.
    """
    done = subprocess.run(  # noqa: S603
        [by or program_path(), *arguments],
        user=USER,
        group=USER,
        extra_groups=[],
        umask=0o077,
        cwd=places.data,
        env={"PATH": os.defpath, "LANG": "C.UTF-8", **places.variables},
        stdout=subprocess.PIPE,
        text=True,
        check=False,
    )
    if done.returncode:
        raise ServiceError(f"Failed: girone {' '.join(arguments)}")
    return done.stdout


def program_path() -> str:
    """Return the path of this installation's ``girone``."""
    return str(Path(sys.prefix) / "bin" / "girone")


# --- Files -------------------------------------------------------------------------------


def render_units(places: ServicePaths) -> Iterator[tuple[Path, str]]:
    """Yield (path to install, text) of each systemd unit, with this program's path.

    Units for PostgreSQL are included if it runs on the same machine.
    """
    folder = PROGRAM / "deploy" / "systemd"
    wanted = "*" if read_setting(places, "DATABASE_URL").startswith("postgres:///") else "*.*"
    for source in sorted(folder.rglob(wanted)):
        if source.is_file() and (wanted == "*" or source.parent == folder):
            text = source.read_text().replace(IN_UNITS, program_path())
            yield places.units / source.relative_to(folder), text


def installed_program(places: ServicePaths) -> str:
    """Return the path of the program that the installed unit starts, "" if there is none."""
    unit = places.units / SITE
    found = (
        re.search(r"^ExecStart=(\S+)", unit.read_text(), re.MULTILINE) if unit.exists() else None
    )
    return found[1] if found else ""


def enabled_units(units: list[tuple[Path, str]]) -> list[str]:
    """Return the names of the units to enable at boot: those with an [Install] section.

    units: (path, text) pairs.
    """
    return [path.name for path, text in units if "\n[Install]\n" in text]


def read_setting(places: ServicePaths, name: str) -> str:
    """Return a variable of the service's settings file, "" if it is missing."""
    text = places.settings.read_text() if places.settings.exists() else ""
    pairs = (line.partition("=") for line in text.splitlines())
    found = [value for key, _sign, value in pairs if key == name]
    return found[-1].strip().strip("\"'") if found else ""


def write_file(path: Path, text: str, mode: int = 0o644) -> bool:
    """Replace a file atomically unless it has that text already; return whether it was written."""
    if path.exists() and path.read_text() == text:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.name}.new")
    draft.unlink(missing_ok=True)
    with create_file(draft, mode) as file:
        file.write(text.encode())
    draft.chmod(mode)
    draft.replace(path)
    return True


def write_settings(places: ServicePaths, names: list[str]) -> str:
    """Write the settings file if there is none; return the site's host name.

    names: host names given by the operator. Raises ServiceError if there are none, or if an
    existing file lacks one of them.
    """
    known = [
        name.strip() for name in read_setting(places, "ALLOWED_HOSTS").split(",") if name.strip()
    ]
    if places.settings.exists():
        if not set(names) <= set(known):
            raise ServiceError(f"{places.settings} has other names. Add yours to ALLOWED_HOSTS.")
        return read_setting(places, "SITE_ADDRESS").partition("://")[2] or known[0]
    if not names:
        raise ServiceError(f"Name the site: girone install-service {EXAMPLE}")
    text = SETTINGS.format(
        key=secrets.token_urlsafe(50),
        names=",".join(names),
        origins=",".join(f"https://{name}" for name in names),
        name=names[0],
    )
    write_file(places.settings, text, 0o600)
    shutil.chown(places.settings, USER, USER)
    return names[0]


def create_system_user(places: ServicePaths) -> None:
    """Create the site's system user, and data folders that only it can read."""
    try:
        pwd.getpwnam(USER)
    except KeyError:
        words = ("--user-group", "--no-create-home", "--shell", "/usr/sbin/nologin")
        run_command("useradd", "--system", *words, "--home-dir", str(places.data), USER)
    for folder in (places.data, places.backups):
        folder.mkdir(parents=True, exist_ok=True)
        folder.chmod(0o700)
        shutil.chown(folder, USER, USER)


# --- The proxy in front ------------------------------------------------------------------


def installed_proxy() -> str:
    """Return "caddy", "nginx" or "none": the first that is installed."""
    return next((name for name in ("caddy", "nginx") if shutil.which(name)), "none")


def set_up_caddy(places: ServicePaths, names: list[str]) -> str:
    """Configure Caddy to serve the site; return "", as nothing is left to do.

    names: host names of the site.
    """
    text = (PROGRAM / "deploy" / "caddy" / "girone.caddy").read_text()
    version = subprocess.run(
        ["caddy", "version"],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    ).stdout
    if re.match(r"v?2\.[0-6]\.", version):  # Debian 12's calls them otherwise
        text = text.replace("request_buffers 5MB", "buffer_requests\n\t\tmax_buffer_size 5MB")
        text = text.replace("response_buffers 5MB", "buffer_responses")
    main = places.caddy / "Caddyfile"
    write_file(places.caddy / "girone.caddy", text.replace(EXAMPLE, ", ".join(names)))
    before = main.read_text() if main.exists() else ""
    if IMPORT not in before:
        write_file(main, f"{before.rstrip()}\n\n{IMPORT}".lstrip())
    run_command("caddy", "validate", "--adapter", "caddyfile", "--config", str(main))
    systemctl("reload-or-restart", "caddy")
    return ""


def set_up_nginx(places: ServicePaths, names: list[str]) -> str:
    """Configure nginx to serve the site; return "".

    names: host names of the site. Without a certificate for the first one it changes nothing and
    returns instructions to get one.
    """
    live = places.root / "etc/letsencrypt/live" / names[0]
    if not (live / "fullchain.pem").exists():
        domains = " ".join(f"-d {name}" for name in names)
        return (
            f"Fetch the certificate, then run girone install-service again:\n"
            f"  certbot certonly --webroot -w /var/www/html {domains} "
            "--deploy-hook 'systemctl reload nginx'"
        )
    text = (PROGRAM / "deploy" / "nginx" / "girone.conf").read_text()
    text = text.replace(f"server_name {EXAMPLE};", f"server_name {' '.join(names)};")
    if not Path("/proc/net/if_inet6").exists():
        lines = text.splitlines(keepends=True)
        text = "".join(line for line in lines if "[::]" not in line)
    write_file(places.nginx / "sites-available/girone", text.replace(EXAMPLE, names[0]))
    link = places.nginx / "sites-enabled/girone"
    if not link.is_symlink():
        link.symlink_to("../sites-available/girone")
    main = places.nginx / "nginx.conf"
    if FEW in main.read_text():  # each page that is asked for takes two connections
        write_file(main, main.read_text().replace(FEW, MANY))
    write_file(places.units / "nginx.service.d/girone.conf", "[Service]\nLimitNOFILE=16384\n")
    run_command("nginx", "-t", "-q")
    systemctl("daemon-reload")
    systemctl("restart", "nginx")
    return ""


PROXIES: dict[str, Callable[[ServicePaths, list[str]], str]] = {
    "caddy": set_up_caddy,
    "nginx": set_up_nginx,
    "none": lambda _places, _names: "Set up a proxy that ends TLS before 127.0.0.1:8000.",
}


# --- Install and remove ------------------------------------------------------------------


def install(options: argparse.Namespace) -> int:
    """Install or upgrade the service, or apply changed settings; return the exit code.

    options: ``names`` (host names) and ``proxy``. Raises ServiceError.
    """
    places = ServicePaths()
    require_server()
    require_host_names(options.names)
    proxy = options.proxy or installed_proxy()
    former = installed_program(places)
    if former and runs_systemd():
        print_line("Making a backup.")
        systemctl("start", BACKUP)
    create_system_user(places)
    name = write_settings(places, options.names)
    units = list(render_units(places))
    for path, text in units:
        write_file(path, text)
    write_file(
        places.wrapper,
        WRAPPER.format(
            program=program_path(),
            user=USER,
            variables=" ".join(f"{key}={value}" for key, value in places.variables.items()),
        ),
        0o755,
    )
    systemctl("daemon-reload")
    if former:
        upgrade(places, units, former)
    else:
        print_line("Preparing the data.")
        run_as_user(places, "prepare")
    systemctl("enable", "--now", *enabled_units(units))
    names = [
        each for each in read_setting(places, "ALLOWED_HOSTS").split(",") if HOST.fullmatch(each)
    ]
    left = PROXIES[proxy](places, names or [name])
    print_line(left or f"Girone {VERSION}: https://{name}/")
    told = run_as_user(places, "first_organiser").rstrip()
    print_line(re.sub(r"https?://[^/\s]+", f"https://{name}", told))
    return 0


def upgrade(places: ServicePaths, units: list[tuple[Path, str]], former: str = "") -> None:
    """Migrate the data and switch the service to this program without refusing requests.

    units: (path, text) pairs. former: path of the program that served until now. Raises
    ServiceError after rolling back to the former program if this one can't migrate or start.
    """
    others = [name for name in enabled_units(units) if name.endswith(".service") and name != SITE]
    pause, before = places.data / PAUSED, upgrade_backups(places)
    try:
        if "[ ]" in run_as_user(places, "showmigrations", "--plan"):
            print_line("Changing the data; readers see a page that says so.")
            pause.touch()
            systemctl("start", BRIDGE)
            for name in others:
                systemctl("stop", name)
            systemctl("restart", SITE)
            run_as_user(places, "prepare")
            pause.unlink()
        else:
            pause.unlink(missing_ok=True)
            run_as_user(places, "prepare")
            systemctl("start", BRIDGE)
        systemctl("restart", SITE)  # if it fails, nobody has written since the copy
    except ServiceError as fault:
        print_line(str(fault))
        copies = upgrade_backups(places) - before
        raise roll_back(places, units, former, copies) from None
    if others:
        systemctl("restart", *others)
    systemctl("stop", BRIDGE)


def upgrade_backups(places: ServicePaths) -> set[Path]:
    """Return the backups of the database that upgrades made."""
    names = (DATABASE, "postgresql")
    found = (copy for name in names for copy in places.data.glob(f"{name}.*-version-*"))
    return {copy for copy in found if copy.suffix != ".part"}


def roll_back(
    places: ServicePaths, units: list[tuple[Path, str]], former: str, copies: set[Path]
) -> ServiceError:
    """Make the former program serve again with its data; return the ServiceError to raise.

    units: (path, text) pairs. former: path of that program. copies: backups that the upgrade made.
    If this fails too, the update's page says so.
    """
    if former != program_path() and Path(former).is_file():
        print_line(f"Going back to {former}.")
        for path, text in units:
            write_file(path, text.replace(program_path(), former))
        try:
            for copy in copies:
                systemctl("stop", SITE)
                run_as_user(places, "restore_backup", str(copy), by=former)
            run_command(former, "install-service")
        except ServiceError as fault:
            print_line(str(fault))
        else:
            return ServiceError(f"The upgrade failed. {former} serves the data of before again.")
    pause = places.data / PAUSED
    if pause.exists():
        pause.write_text(FAILED)
    again = f"{former or program_path()} install-service"
    return ServiceError(f"The upgrade failed. Solve what is said above, then run: {again}")


def require_server() -> None:
    """Raise ServiceError unless this program may be installed as a service.

    It needs systemd, root, and a virtual environment that the service can read.
    """
    if not shutil.which("systemctl"):
        raise ServiceError("This machine has no systemd. Serve by: girone hall")
    if os.getuid() != 0:
        raise ServiceError("Only root may do this. Run it with sudo.")
    if is_checkout() or sys.prefix == sys.base_prefix:
        raise ServiceError("Install Girone in an environment of its own, as docs/hosting.md says.")
    if program_path().startswith(UNREADABLE):
        raise ServiceError(f"The service can't read {sys.prefix}. Install Girone in /opt.")


def require_host_names(names: list[str]) -> None:
    """Raise ServiceError for the first invalid host name."""
    for name in names:
        if not HOST.fullmatch(name):
            raise ServiceError(f"{name} is not a site's name. Write it like {EXAMPLE}")


def remove(options: argparse.Namespace) -> int:
    """Remove the service; return the exit code.

    options: ``delete_data`` deletes data, settings and backups too. Raises ServiceError.
    """
    places = ServicePaths()
    require_server()
    units = [path for path, _text in render_units(places) if path.exists()]
    names = [path.name for path in units if path.parent == places.units]
    if names:
        systemctl("disable", "--now", *names)
    for path in (*units, places.wrapper, places.units / "nginx.service.d/girone.conf"):
        path.unlink(missing_ok=True)
        with suppress(OSError):
            if path.parent.suffix == ".d":
                path.parent.rmdir()
    remove_proxies(places)
    systemctl("daemon-reload")
    if options.delete_data:
        for folder in (places.data, places.backups, places.settings.parent):
            shutil.rmtree(folder, ignore_errors=True)
        with suppress(KeyError):
            run_command("userdel", pwd.getpwnam(USER).pw_name)
        print_line("The service and its data are gone.")
        return 0
    print_line(
        f"The service is gone. These stay: {places.data}, {places.settings}, {places.backups}"
    )
    return 0


def remove_proxies(places: ServicePaths) -> None:
    """Remove the site from the configuration of Caddy and nginx, and reload them."""
    main, site = places.caddy / "Caddyfile", places.caddy / "girone.caddy"
    if site.exists():
        write_file(main, main.read_text().replace(IMPORT, ""))
        site.unlink()
        systemctl("reload-or-restart", "caddy")
    link = places.nginx / "sites-enabled/girone"
    if link.is_symlink():
        link.unlink()
        (places.nginx / "sites-available/girone").unlink(missing_ok=True)
        systemctl("reload-or-restart", "nginx")
