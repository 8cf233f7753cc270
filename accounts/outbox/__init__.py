"""What the site sends to people: a queue in the database, and the worker that empties it.

``queue.queue_deliveries`` writes an ``Outgoing`` in the transaction of the act; ``worker`` delivers
it: at least once, tried again after growing pauses until ``ends_at``. Before a try the row is
claimed for ``LEASE``, so that a killed worker leaves nothing undone. What the server has accepted
is noted in a file at once, as the database may have to wait for its lock: only a mail that the
server had not answered is sent again, under the same ``Message-ID``.

A feature registers its ``DeliveryKind``: how a row becomes a message, made at each try (a link's
token is stored as a hash, so only then is there a text). ``DeliveryKind.channel`` says by what it
travels; ``mail`` has the only one so far, and one for webhooks would be another class with its
three methods.

django-tasks-db was tried, and three things stood against it: a task whose worker was killed stays
"running" for ever, a failed one is not tried again, and one worker delivers one task after another,
so that a slow receiver holds up all others. It keeps addresses in tracebacks, and locks SQLite
exclusively at each poll. django-mailer and django-post-office store the text, with its links.
"""
