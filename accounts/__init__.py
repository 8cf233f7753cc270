"""People who sign in by email address and password, on top of django-allauth.

``adapter`` adjusts allauth (clients, limits, mail), ``mail`` says how many leave, ``sign_up_form``
and ``invitations`` govern who may create an account, ``first_organiser`` makes that of a laptop,
``second_factor`` has TOTP codes and passkeys, ``tokens`` the tokens of API clients, ``privacy`` the
text of the privacy page. Without a mail server (``SENDS_MAIL``) pages that
would send mail say so, and management commands print the links instead.
"""
