"""HTTP calls over connections that stay open between them."""

from __future__ import annotations

import http.client
import os
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Mapping

from . import _proof

_IDLE_SECONDS = 20  # less than servers keep a connection without a call
_MOST_IDLE = 16
_CUT = (http.client.RemoteDisconnected, BrokenPipeError, ConnectionResetError)


class Connections:
    """Open connections by server. Threads may share one: each call has a connection of its own meanwhile."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = os.getpid()
        self._idle: dict[tuple[str, str], list[tuple[http.client.HTTPConnection, float]]] = {}

    def call(
        self, method: str, url: str, body: bytes | None, headers: Mapping[str, str], timeout: float
    ) -> tuple[int, bytes]:
        """Status and bytes of an answer; a redirect is one like others: what is meant for a server is for no other.

        A call that a connection loses before its answer begins is made again on a new one, so it may arrive twice.
        """
        if not _proof.is_on_machine(url) and _has_proxy(url):
            return _by_proxy(method, url, body, headers, timeout)
        parts = urllib.parse.urlsplit(url)
        server = parts.scheme, parts.netloc
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        kept = self._take(server)
        if kept is not None:
            try:
                return self._exchange(kept, server, method, target, body, headers, timeout)
            except _CUT:  # the server closed it while it was idle
                pass
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        return self._exchange(kind(parts.netloc, timeout=timeout), server, method, target, body, headers, timeout)

    def _exchange(
        self,
        connection: http.client.HTTPConnection,
        server: tuple[str, str],
        method: str,
        target: str,
        body: bytes | None,
        headers: Mapping[str, str],
        timeout: float,
    ) -> tuple[int, bytes]:
        try:
            connection.timeout = timeout
            if connection.sock is not None:
                connection.sock.settimeout(timeout)
            connection.request(method, target, body, dict(headers))
            with connection.getresponse() as reply:
                answer = reply.status, reply.read()
                closes = reply.will_close
        except BaseException:
            connection.close()
            raise
        if closes:
            connection.close()
        else:
            self._keep(server, connection)
        return answer

    def close(self) -> None:
        """Closes those that no call uses; a later call opens another."""
        with self._lock:
            idle, self._idle = self._idle, {}
        for connections in idle.values():
            for connection, _ in connections:
                connection.close()

    def _take(self, server: tuple[str, str]) -> http.client.HTTPConnection | None:
        with self._lock:
            if self._process != os.getpid():  # a fork: the connections are its parent's
                self._process = os.getpid()
                self._idle = {}
            idle = self._idle.get(server, [])
            while idle:
                connection, since = idle.pop()
                if time.monotonic() - since < _IDLE_SECONDS:
                    return connection
                connection.close()
            return None

    def _keep(self, server: tuple[str, str], connection: http.client.HTTPConnection) -> None:
        with self._lock:
            idle = self._idle.setdefault(server, [])
            if len(idle) < _MOST_IDLE and self._process == os.getpid():
                idle.append((connection, time.monotonic()))
                return
        connection.close()


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: object) -> None:
        return None


def _has_proxy(url: str) -> bool:
    parts = urllib.parse.urlsplit(url)
    return parts.scheme in urllib.request.getproxies() and not urllib.request.proxy_bypass(parts.hostname or "")


def _by_proxy(
    method: str, url: str, body: bytes | None, headers: Mapping[str, str], timeout: float
) -> tuple[int, bytes]:
    request = urllib.request.Request(url, data=body, method=method, headers=dict(headers))
    try:
        with urllib.request.build_opener(_NoRedirect).open(request, timeout=timeout) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as e:
        return e.code, e.read()
