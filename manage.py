#!/usr/bin/env python
"""Django's command line for Girone."""

import os
import sys

from config.management import run_management_command

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    run_management_command(sys.argv[0], sys.argv[1:])
