"""Shared parts of the HTTP API under ``/api/v1/``; each feature's endpoints are in its ``api.py``.

``request_context.EventView`` is the base of calls about an event: it finds the event and the actor,
checks the scope of the token and sets ETags. ``request_context`` also implements ``If-Match``
(RFC 9110) by comparing tags while the event is locked, replays the first answer to a repeated POST
(``idempotent_post``) and adds members to problem documents. ``stage_views`` finds the stage of a
call. ``serialization`` converts events, stages, rounds and matches to JSON, and has shared schema
parts. ``tournaments.api_urls`` lists the addresses. Views call the same
services as the pages. docs/api.md is for callers.
"""
