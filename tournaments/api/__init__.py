"""Shared parts of the HTTP API under ``/api/v1/``; each feature's endpoints are in its ``api.py``.

``request_context.EventView`` is the base of calls about an event: it finds the event and the actor,
checks the scope of the token and sets ETags; ``request_context`` implements ``If-Match`` (RFC 9110)
by comparing tags while the event is locked. ``stage_views`` finds the stage of a call.
``idempotency.idempotent_post`` replays the first answer to a repeated POST. ``serialization``
converts events, stages, rounds and matches to JSON; ``serialization`` and ``listing`` are shared
schema parts; ``request_context`` adds members to problem documents. ``tournaments.api_urls`` lists
the addresses. Views call the same services as the pages. docs/api.md is for callers.
"""
