"""Settings of gunicorn: ``gunicorn --config python:config.gunicorn config.wsgi``.

Its threads read each request by themselves, so a slow connection holds one: it belongs behind a
proxy that buffers, as ``docs/deploying.md`` sets up.
"""

import os
from pathlib import Path

from config import env

env.load(env.file_beside(Path(__file__).resolve().parent.parent))

bind = env.text("LISTEN", f"127.0.0.1:{env.number('PORT', 8000)}")
worker_class = "gthread"
workers = env.number("WORKERS", 1, minimum=1)
threads = env.number("THREADS", 8, minimum=2)
worker_connections = 2_000
backlog = 2_048
timeout = 60
graceful_timeout = 20
# a file beside the temporary ones of a slow disk could stop the heart beat of a worker
worker_tmp_dir = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # noqa: S108
