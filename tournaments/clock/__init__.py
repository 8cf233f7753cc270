"""The clock of a round, and extra minutes of tables.

``rules/events/clock.py`` computes the time left from stored facts: the seconds used before the
present stretch, when that stretch began, the round's minutes and those of a table. A stretch is
measured by the machine's count of seconds since boot (``core.clocks``), so setting the
system clock changes nothing and all processes agree; after a reboot, on another machine and
outside Linux, the time of day in UTC counts. ``core.clocks`` reads these facts for all features;
writes go through ``services`` and raise the event's version.

A page holds the seconds left when it was rendered, and ``clock.js`` counts on by what the device
has counted since. What it was told last is kept with the page (``worker.js``), with the device's
time and by how much the server's is before it: a page opened without connection counts to the same
end, and says of when it is. It asks for nothing itself: each answer to the page's one question,
also a 304, has the ``X-Clock`` header (``tournaments.pages``, ``polling.js``), so a start, a pause
or more time reaches a phone with its next question, ten seconds later at most on a good network.
Open connections instead would need a server of another kind than two processes with four threads.
The warning times are ``Event.warnings`` (``models.event.usual_warnings`` by default), read by
``forms.WarningsField``. ``current_warning`` in ``rules/events/clock.py`` says which one is due, and
``draw`` in ``clock.js`` repeats it between two answers of the server: change both.
``Event.overtime`` are minutes after the end, of which the clock tells while it counts up.
"""
