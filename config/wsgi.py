"""WSGI application; refuses to start if a system check fails."""

import gc
import os

from django.conf import settings
from django.core.management import call_command
from django.core.wsgi import get_wsgi_application

from config.unread import reads_to_the_end

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
application = reads_to_the_end(get_wsgi_application(), settings.LARGEST_BODY)
call_command("check", databases=["default"])
gc.collect()
gc.freeze()  # collecting the program itself took a fifth of large pages
