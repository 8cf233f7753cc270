"""The Django project: settings, root URLs, and the web kit shared by all apps.

``settings`` reads the environment through ``env``; ``checks`` refuses unsafe set-ups. ``web`` has
what views use (refusals, fragments, ETags), ``problems`` and ``api`` the error pages and problem
documents, ``ui`` the template components, ``wording`` the translation of the rules' sentences,
``transaction`` the transactions of services. ``clients``, ``sizes`` and ``throttles`` limit
requests; ``privacy`` and ``compression`` protect responses; ``caches`` and ``databases`` cope with
busy or absent servers.
"""

import gc

# What a program imports stays: to look through it again and again took a fifth of each start.
gc.set_threshold(20_000, 20, 20)
