"""A Debian of its own, with systemd running, for tests: made by debootstrap, in namespaces.

It shares the kernel of this machine and nothing else: processes, mounts, network and control groups
are its own. Needs root, and a Linux that lets root make all of them.
"""

import ctypes
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tests.servers.running import ROOT, until

MIRROR = os.environ.get("MIRROR", "http://deb.debian.org/debian")
RELEASES = {(3, 11): "bookworm", (3, 13): "trixie"}
"""The Debian that has this Python: the wheels of this machine fit it."""
PACKAGES = (
    "systemd,systemd-sysv,dbus,python3-venv,ca-certificates,caddy,nginx-light,iproute2,openssl"
)
NEW_NETWORK = 0x40000000
PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
BEGIN = f"""
set -e
mount --make-rprivate /
mount --bind "$1" "$1"
cd "$1"
mount -t proc proc proc
mount -t sysfs -o ro sysfs sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
mount -t tmpfs -o mode=755 tmpfs run
mount -t tmpfs -o mode=1777 tmpfs tmp
mount -t tmpfs -o mode=755 tmpfs dev
for name in null zero full random urandom tty; do
  touch dev/$name
  mount --bind /dev/$name dev/$name
done
mkdir dev/pts dev/shm
mount -t devpts -o newinstance,ptmxmode=0666 devpts dev/pts
mount -t tmpfs -o mode=1777 tmpfs dev/shm
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
chroot . ip link set lo up
exec env -i container=lxc PATH={PATH} chroot . /lib/systemd/systemd
"""


def missing() -> str:
    """Return why this machine can't run a Debian, "" if it can."""
    lacking = [name for name in ("debootstrap", "unshare", "nsenter") if not shutil.which(name)]
    if lacking:
        return f"needs {', '.join(lacking)}"
    if os.geteuid() != 0:
        return "needs root"
    if sys.version_info[:2] not in RELEASES:
        return "no Debian has this Python"
    return "" if control_groups() else "needs control groups of the second version"


def control_groups() -> Path | None:
    """Return where the control groups of the second version are mounted."""
    for line in Path("/proc/mounts").read_text().splitlines():
        _device, place, kind = line.split()[:3]
        if kind == "cgroup2" and os.access(place, os.W_OK):
            return Path(place)
    return None


def wheels(folder: Path) -> None:
    """Build the program's wheel into a folder, and fetch those of what it needs."""
    folder.mkdir()
    for words in (("--no-deps", str(ROOT)), ("-r", str(ROOT / "requirements-site.txt"))):
        command = [sys.executable, "-m", "pip", "wheel", "-q", "-w", str(folder), *words]
        subprocess.run(command, check=True, cwd=folder)


@dataclass
class Debian:
    """A system in a folder; what runs in it once it has begun."""

    folder: Path
    pid: int = 0

    def make(self) -> None:
        """Make the system, and let it know its own name without a network."""
        release = RELEASES[sys.version_info[:2]]
        command = ["debootstrap", "--variant=minbase", f"--include={PACKAGES}", release]
        subprocess.run([*command, str(self.folder), MIRROR], check=True, stdout=subprocess.DEVNULL)
        started = self.folder / "etc/systemd/system/multi-user.target.wants/nginx.service"
        started.unlink()  # two proxies can't have one port
        (self.folder / "etc/hosts").write_text("127.0.0.1 localhost girone.localhost\n")

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run systemd as the first process of the system, until the block ends."""
        group = (control_groups() or Path()) / f"girone-test-{os.getpid()}"
        group.mkdir()
        spaces = ("--mount", "--pid", "--uts", "--ipc", "--net", "--cgroup", "--fork")
        enter = f'echo $$ > {group}/cgroup.procs; exec "$@"'
        command = ["unshare", *spaces, "--kill-child", "sh", "-c", BEGIN, "sh", str(self.folder)]
        parent = subprocess.Popen(
            ["sh", "-c", enter, "sh", *command],  # noqa: S607
            stdin=subprocess.DEVNULL,
        )
        try:
            children = Path(f"/proc/{parent.pid}/task/{parent.pid}/children")
            until(lambda: children.read_text().split())
            self.pid = int(children.read_text().split()[0])
            until(self.has_begun)
            yield
        finally:
            with suppress(ProcessLookupError):
                os.kill(self.pid or parent.pid, signal.SIGKILL)  # all others end with it
            parent.wait(30)
            until(lambda: not leave(group), why=f"{group} is in use")

    def has_begun(self) -> bool:
        """Return whether systemd has started all units, those that fail too."""
        if Path(f"/proc/{self.pid}/comm").read_text().strip() != "systemd":
            return False
        state = self.run("systemctl", "is-system-running", check=False).split()
        return state[-1:] in (["running"], ["degraded"])

    def run(self, *command: str, check: bool = True) -> str:
        """Run a command in the running system as root; return what it printed."""
        spaces = ("-m", "-p", "-u", "-i", "-C", "-n")
        root = f"/proc/{self.pid}/root"
        inside = ("nsenter", "-t", str(self.pid), *spaces, f"--root={root}", f"--wd={root}")
        done = subprocess.run(
            [*inside, "env", "-i", f"PATH={PATH}", "LANG=C.UTF-8", *command],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert not check or done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    @contextmanager
    def network(self) -> Iterator[None]:
        """Let this thread, and those it starts, connect and listen in the system's network."""
        libc = ctypes.CDLL(None, use_errno=True)
        with Path("/proc/thread-self/ns/net").open() as own:
            with Path(f"/proc/{self.pid}/ns/net").open() as other:
                assert libc.setns(other.fileno(), NEW_NETWORK) == 0, os.strerror(ctypes.get_errno())
            try:
                yield
            finally:
                libc.setns(own.fileno(), NEW_NETWORK)


def leave(group: Path) -> bool:
    """Remove a control group with all below; return whether it is in use still."""
    for below in [*sorted(group.rglob("*/"), reverse=True), group]:
        with suppress(OSError):
            below.rmdir()
    return group.exists()


def loopback(port: int) -> socket.socket:
    """Return a connection to a port of the loopback address."""
    return socket.create_connection(("127.0.0.1", port), timeout=30)
