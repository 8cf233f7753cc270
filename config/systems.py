"""What differs between Linux, macOS and Windows: no other module asks which system it is on.

Each function looks for what the system has and does without what is missing. ``photo_reader`` and
``gunicorn`` alone look for themselves: the one imports nothing of the site, the other runs on Linux
and macOS only.
"""

import ctypes
import locale
import os
import re
import socket
import stat
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, Any

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

HAS_MODES = os.name == "posix"
"""Whether a file's mode says who can read it; Windows shows every file as readable by all."""
PRIVATE = 0o600
PROC = Path("/proc")
AWAKE = getattr(time, "CLOCK_BOOTTIME", None)
SELECTED = 500
"""Most connections where the limit can't be read: select() on Windows takes 512 sockets."""
TRIES, PAUSE = 40, 0.05
LANGUAGES = ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
PORTS = 20
RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?", re.IGNORECASE)


# --- Files ---------------------------------------------------------------------------------
def replace_file(draft: Path, file: Path) -> None:
    """Rename ``draft`` to ``file``, replacing an existing file.

    Windows refuses while it is open; the rename is then retried for two seconds. Raises OSError.
    """
    for _try in range(TRIES):
        try:
            draft.replace(file)
            return
        except PermissionError:
            if HAS_MODES:  # here it is about the folder
                raise
            time.sleep(PAUSE)
    draft.replace(file)


def create_file(path: Path, mode: int = PRIVATE) -> IO[bytes]:
    """Create and open a file for writing bytes; mode: its permissions, if the system has any.

    Raises FileExistsError.
    """
    return open(path, "xb", opener=lambda name, flags: os.open(name, flags, mode))


def link_or_move(file: Path, other: Path) -> None:
    """Hard-link ``file`` as ``other``; if links aren't supported, rename it."""
    try:
        os.link(file, other)
    except (OSError, AttributeError, NotImplementedError):
        file.rename(other)


def sync_folder(folder: Path) -> None:
    """Flush a folder's entries to disk (fsync) if the system supports it."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def supports_file_modes(folder: Path) -> bool:
    """Return whether files in a folder can be private to a user.

    False on Windows and on FAT drives.
    """
    try:
        with tempfile.NamedTemporaryFile(dir=folder) as private:
            mode = stat.S_IMODE(Path(private.name).stat().st_mode)
    except OSError:
        return HAS_MODES
    return HAS_MODES and not mode & ~PRIVATE


def portable_file_name(name: str) -> str:
    """Return a file name, with "_" appended if Windows reserves it for a device."""
    return f"{name}_" if RESERVED.fullmatch(name) else name


# --- Processes and ports -------------------------------------------------------------------
def processes_using(files: Iterable[Path | str]) -> list[int]:
    """Return the ids of other processes that have one of the files open; Linux only, else empty."""
    names = set(map(str, files))
    found = set()
    for handle in PROC.glob("[0-9]*/fd/*"):
        with suppress(OSError):  # another user's process, or closed meanwhile
            if str(handle.readlink()) in names:
                found.add(int(handle.parts[-3]))
    return sorted(found - {os.getpid()})


def program_on_port(port: int) -> str:
    """Return "name (process id)" of this user's program that listens on a port, else "".

    Linux only; elsewhere always "".
    """
    listening = "0A"
    sockets = set()
    for table in ("tcp", "tcp6"):
        with suppress(OSError):
            for line in (PROC / "net" / table).read_text(encoding="utf-8").splitlines()[1:]:
                parts = line.split()
                if parts[3] == listening and parts[1].endswith(f":{port:04X}"):
                    sockets.add(f"socket:[{parts[9]}]")
    for number in processes_using(sockets) if sockets else ():
        with suppress(OSError):
            name = (PROC / str(number) / "comm").read_text(encoding="utf-8").strip()
            return f"{name} ({number})"
    return ""


def candidate_ports(first: int) -> range:
    """Return the range of up to 20 ports that a server tries, beginning with ``first``."""
    return range(first, min(first + PORTS, 65_536))


def can_bind(address: str, port: int) -> bool:
    """Return whether a port is free at an address of this machine."""
    try:
        bind_socket(address, port).close()
    except OSError:
        return False
    return True


def bind_socket(address: str, port: int) -> socket.socket:
    """Return a TCP socket bound to an address and port; raises OSError if it is in use."""
    bound = socket.socket()
    try:
        if HAS_MODES:  # on Windows the option would let two servers share a port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((address, port))
    except OSError:
        bound.close()
        raise
    return bound


def raise_open_file_limit(needed: int) -> int | None:
    """Raise this process's limit of open files towards ``needed``; return the new limit.

    None if the system has no such limit; ``needed`` if it is unlimited.
    """
    if resource is None:
        return None
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return needed
    if soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        with suppress(ValueError, OSError):  # macOS refuses more than it has for all
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        soft = min(soft, resource.getrlimit(resource.RLIMIT_NOFILE)[0])
    return soft


def was_killed(code: int) -> bool:
    """Return whether an exit code says that a signal (on Windows a fault) ended the process."""
    return code < 0 or code >= 0x8000_0000


# --- Time ----------------------------------------------------------------------------------
def boot_id() -> str:
    """Return the id of this boot of the machine, "" outside Linux."""
    try:
        return (PROC / "sys/kernel/random/boot_id").read_text(encoding="utf-8").strip()[:40]
    except OSError:
        return ""


def monotonic_seconds() -> float:
    """Return a monotonic clock in seconds, unaffected by changes of the time.

    On Linux it includes time asleep.
    """
    return time.clock_gettime(AWAKE) if AWAKE is not None else time.monotonic()


# --- Console and browser -------------------------------------------------------------------
def system_language() -> str:
    """Return the user's language as the system names it, like it_IT.UTF-8; "" if unknown."""
    if named := next(filter(None, map(os.environ.get, LANGUAGES)), ""):
        return named
    kernel = getattr(getattr(ctypes, "windll", None), "kernel32", None)
    return locale.windows_locale.get(kernel.GetUserDefaultUILanguage(), "") if kernel else ""


def replace_unencodable_characters(*streams: Any) -> None:
    """Make streams print "?" for characters that their encoding lacks, instead of failing."""
    for stream in streams:
        if hasattr(stream, "reconfigure"):  # None without a console
            stream.reconfigure(errors="replace")


def print_line(text: str) -> None:
    """Print a line and flush it."""
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def has_desktop() -> bool:
    """Return whether this machine has a desktop on which a browser can open."""
    if sys.platform.startswith(("win", "darwin", "cygwin")):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
