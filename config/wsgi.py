"""WSGI application; refuses to start if a system check fails."""

import gc
import os
import sys
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application
from django.utils.module_loading import import_string

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application: Any = get_wsgi_application()
if settings.FINISHED_PAGES:  # before sessions and templates, for readers of whom nothing is known
    application = import_string(settings.FRONT)(application)
application = import_string("config.sizes.drain_bodies")(application, settings.LARGEST_BODY)
application = import_string("config.watching.monitor_application")(application)
call_command("check", databases=["default"])
# Seconds that a thread with a finished answer waits for the one that renders. Python's default is
# five milliseconds; with a tenth of that a fifth more readers were answered meanwhile.
sys.setswitchinterval(0.0005)
gc.collect()
gc.freeze()  # collecting the program itself took a fifth of large pages
