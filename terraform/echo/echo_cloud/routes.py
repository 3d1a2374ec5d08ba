"""Which function answers which call."""

import re
import threading

ROUTES = []
NOTE = threading.local()


def route(host, method, pattern):
    """Host, method and path of a call; groups of the path are passed on after query and body."""

    def put(handle):
        ROUTES.append((host, method, re.compile("^" + pattern + "$"), handle))
        return handle

    return put


def note(value):
    """Adds a word to the line that the request log has of this call."""
    NOTE.value = value
