"""Settings of gunicorn: ``gunicorn --config python:config.gunicorn config.wsgi``.

The site is loaded once, before its workers are forked: they begin at once and share its memory.
A signal therefore reads no new code; ``girone install-service`` starts another process beside it.

Each thread reads its request itself, so a slow connection occupies it: run it behind a buffering
proxy, as in ``docs/hosting.md``.
"""

import os
import re
import shutil
import tempfile
from importlib import import_module
from typing import Any
from wsgiref.util import setup_testing_defaults

from django.db import connections

from config import addresses, env, logs
from config.alive import start_heartbeat
from config.data_folder import data_folder

env.load_file(env.environment_file(data_folder()))

bind = env.text("LISTEN", f"127.0.0.1:{env.number('PORT', 8000)}")
# Only where nothing stands in front that ends TLS, as in a hall.
certfile = env.text("CERTIFICATE") or None
keyfile = env.text("CERTIFICATE_KEY") or None
worker_class = "gthread"
preload_app = True
workers = env.number("WORKERS", 1, minimum=1)
threads = env.number("THREADS", 8, minimum=2)
worker_connections = 2_000
backlog = 2_048
timeout = 60
graceful_timeout = 20
# Nobody uses it: all servers of a user would share one, and a read-only home has no place for it.
control_socket_disable = True
# on a slow disk the heartbeat file could block a worker
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108
logconfig_dict = logs.logging_config(env.text("LOG_LEVEL", "INFO"), env.text("LOG_FILE"))
SHARED = "PROMETHEUS_MULTIPROC_DIR"
if env.text("METRICS_FROM") and SHARED not in os.environ:  # set before anything is counted
    os.environ[SHARED] = tempfile.mkdtemp(prefix="girone-metrics-", dir=worker_tmp_dir)


def on_starting(server: Any) -> None:
    """Gunicorn's hook before the first worker starts: render some pages to warm up.

    Else the first readers would wait while templates and translations are loaded. Closes the
    database connections afterwards, as two processes must not share one.
    """
    site = server.app.wsgi()
    found = [fetch_page(site, "/", language) for language in ("en", "it")]
    for path in re.findall(r'href="(/events/(?!new/)[\w-]+/)"', found[-1])[:1]:
        fetch_page(site, path, "it")
        fetch_page(site, f"{path}standings/", "it")
    fetch_page(site, "/accounts/login/", "it")
    connections.close_all()


def fetch_page(site: Any, path: str, language: str) -> str:
    """Return the HTML of a page, requested from the WSGI application ``site``.

    path: begins with "/". language: value of Accept-Language.
    """
    environ: dict[str, Any] = {
        "PATH_INFO": path,
        "HTTP_HOST": addresses.default_host(),
        "HTTP_X_FORWARDED_PROTO": "https",
        "HTTP_ACCEPT_LANGUAGE": language,
        # imported once Django is set up: this file is read before
        import_module("config.clients").CONNECTION: "127.0.0.1",
    }
    setup_testing_defaults(environ)
    parts = site(environ, lambda *_head: None)
    try:
        return b"".join(parts).decode(errors="replace")
    finally:
        getattr(parts, "close", bool)()


def post_worker_init(worker: Any) -> None:
    """Gunicorn's hook in a new worker: start the heartbeat and count connections.

    In a hall (``LAN``) it also delivers mails; elsewhere a separate systemd unit does.
    """
    start_heartbeat()
    if env.boolean("LAN", default=False):
        import_module("config.server").start_outbox()
    import_module("config.watching").monitor_connections(lambda: worker.nr_conns)


def child_exit(_server: object, worker: Any) -> None:
    """Gunicorn's hook after a worker ended: drop its gauge of open connections from the metrics."""
    if SHARED in os.environ:
        import_module("prometheus_client.multiprocess").mark_process_dead(worker.pid)


def on_exit(server: Any) -> None:
    """Gunicorn's hook at its end: delete the folder of metrics unless another master uses it."""
    if SHARED in os.environ and not (server.reexec_pid or server.master_pid):
        shutil.rmtree(os.environ[SHARED], ignore_errors=True)
