"""Pages for everybody: the list of events, an event's page, its players, bracket and formula.

They are composed from the selectors of other features; who sees decklists and Leaders is decided by
``tournaments.core.visibility``. Search and filters of the list are in ``selectors.listed``.

``page_cache`` stands in front of Django and answers what is the same for everybody, of all
features, by cached bytes: ``answers`` says which one a request means, makes and sends them,
``storage`` says whether they are still what the database holds, and keeps them (in `config.pages`
for the processes of one machine).
"""
