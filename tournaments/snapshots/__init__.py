"""Snapshots: the whole of an event, stored before an act that destroys results, and restored.

``services.take_snapshot`` runs in the transaction of the act: a round is discarded, or a snapshot
restored. (Strikes, withdrawals and corrections destroy nothing, as reports stay.) The document is
that of ``archive.writer``, with accounts by key, compressed; the latest 20 of an event are kept.
The line of the act has its digest (``chain.lines``): one that differs is not put back.
``services.restore_snapshot`` takes another snapshot and restores into the event's own row: address,
tokens, roles, personal links, draws and log stay as they are now. ``selectors`` lists snapshots
and compares one with the present event.
"""
