"""Staff roles of an event, invitations to them, and API tokens that reach one event.

An organiser offers a role by link; whoever accepts it while signed in gets the role. Such an
invitation also allows sign-up where the site asks for one. ``services`` stores roles, invitations
and tokens; ``second_factor`` is the middleware that sends staff without a second factor to set
one up.
"""
