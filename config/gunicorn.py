"""Settings of gunicorn: ``gunicorn --config python:config.gunicorn config.wsgi``.

Each thread reads its request itself, so a slow connection occupies it: run it behind a buffering
proxy, as in ``docs/deploying.md``.
"""

import os

from config import env
from config.alive import start_heartbeat
from config.data_folder import data_folder

env.load(env.file_beside(data_folder()))

bind = env.text("LISTEN", f"127.0.0.1:{env.number('PORT', 8000)}")
# Only where nothing stands in front that ends TLS, as in a hall.
certfile = env.text("CERTIFICATE") or None
keyfile = env.text("CERTIFICATE_KEY") or None
worker_class = "gthread"
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


def post_worker_init(_worker: object) -> None:
    """Gunicorn's hook in a new worker: start the heartbeat once Django is set up."""
    start_heartbeat()
