"""The second factor: TOTP codes, passkeys and recovery codes, through ``allauth.mfa``.

``adapter`` encrypts stored secrets by ``SECRET_KEY``, ``forms`` accepts each code once, ``views``
has the overview page. Whether it is required (``SECOND_FACTOR``) is decided by
``User.lacks_second_factor``.
"""
