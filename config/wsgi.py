"""WSGI application; refuses to start if a system check fails."""

import gc
import os

from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()
call_command("check", databases=["default"])
gc.collect()
gc.freeze()  # collecting the program itself took a fifth of large pages
