"""The door: players present, missing, and those whose list is not in order.

``selectors`` has the list at the door, in which ``arrivals.js`` finds players by some letters;
``services`` has the fee and the acts on many players; ``photos`` the QR code that only checks in:
it is no personal link, and gives no other right. Where the browser has no camera, it reads such a
code from a photo, in a process of its own (``photo_reader``, with its limits).
"""
