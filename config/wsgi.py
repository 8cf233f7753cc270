"""The site for WSGI servers; it does not start with settings that a check refuses."""

import gc
import os

from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = get_wsgi_application()
call_command("check", databases=["default"])
gc.collect()
gc.freeze()  # the program itself is never garbage; looking through it costs large pages a fifth
