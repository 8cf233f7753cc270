"""What pages share: finding the event of a request with the reader's rights, and polling.

``access`` returns (event, actor) for a request, after the writes that time has caused, has the base
of organisers' forms, and marks the pages that are kept as finished bytes; ``views`` has the page
that polls for changes, the clock's header, QR codes, and what the staff's acts share, among it
``action_view``, which answers a refusal with the page that a URL name names; ``long_lists`` shows
long lists in parts; ``views.repeatable_post`` stores once what a script sends until it is answered.
"""
