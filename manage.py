#!/usr/bin/env python
"""Django's command line for Girone."""

import os
import sys

import django
from django.core.management import call_command, execute_from_command_line

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:] == ["version"]:  # Django's command line would say Django's own
        django.setup()
        call_command("version")
    else:
        execute_from_command_line(sys.argv)
