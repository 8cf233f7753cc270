"""The Django project: settings, root URLs, and the web kit shared by all apps.

``settings`` reads the environment through ``env``; ``checks`` refuses unsafe set-ups. ``web`` has
what views use (refusals, fragments, ETags), ``problems`` and ``api`` the error pages and problem
documents, ``ui`` the template components, ``wording`` the translation of the rules' sentences,
``transaction`` the transactions of services. ``clients`` and ``sizes`` limit requests;
``static_files`` protects responses.

Under load and faults: ``server`` and ``gunicorn`` configure the servers; ``sizes`` refuses large
requests unread; ``databases`` lets at most half of the threads wait for SQLite’s lock; ``problems``
knows which database errors are temporary (503), ``transaction`` retries a service after a deadlock,
``caches`` falls back to memory while Redis is down, ``pages`` has the folder of finished pages.
``tests/servers/`` runs all of it for real.
"""

import gc

VERSION = "1.0.0"
"""The version of Girone, defined only here; CHANGELOG.md begins with it."""

# What a program imports stays: to look through it again and again took a fifth of each start.
gc.set_threshold(20_000, 20, 20)
