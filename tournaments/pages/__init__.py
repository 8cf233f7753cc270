"""What pages share: finding the event of a request with the reader's rights, and polling.

``access`` returns (event, actor) for a request, after confirming reports that are due; ``views``
has the page that polls for changes, the clock's header and QR codes; ``offers`` marks the pages
that are kept as finished bytes; ``parts`` shows long lists in parts.
"""
