"""The mails of an event for its organisers: waiting, sent or failed, and sent again.

``accounts.outbox`` holds and sends them; features queue them (``players.services.mailing``,
``staff.services``). To a player a page names the player, never the address of their account.
"""
