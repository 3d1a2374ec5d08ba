"""A server of a laptop cloud proves that it is its owner's, before it gets a token: another user of the machine may
listen on its port while it is down. The rules are those of the command line (``ServerProof`` there)."""

from __future__ import annotations

import hashlib
import hmac
import json
import re
import secrets
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Sequence

from ._errors import Unavailable

PREFIX = "mayfly-"
_PATH = "/_mayfly/proof"
_KEY = b"mayfly server proof"
_LOOPBACK = re.compile(r"http://(127(?:\.\d{1,3}){3}|localhost|\[::1\])(:\d{1,5})?(?:/.*)?$", re.DOTALL)
_GOOD_FOR = 1  # second: the server may end, and another user's take its port at any moment
_REMEDY = "if the laptop cloud is down, start one with: mayfly local"
_direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
_proven: dict[tuple[str, str], float] = {}


def of(token: str, address: str, nonce: str) -> str:
    """The proof that only those can make who know the token, and that is of use for this address alone."""
    key = hmac.digest(token.encode(), _KEY, "sha256")
    return hmac.new(key, f"{address}\n{nonce}".encode(), hashlib.sha256).hexdigest()


def is_on_machine(url: str) -> bool:
    return bool(_LOOPBACK.match(url))


def check(url: str, token: str) -> None:
    """As ``require``, if a laptop cloud made the token and the URL is on this machine."""
    if token.startswith(PREFIX) and _LOOPBACK.match(url):
        require(url, token)


def require(url: str, token: str) -> None:
    """Raises Unavailable unless the server at the URL knows the token."""
    place = _LOOPBACK.match(url)
    if not place:
        raise Unavailable(f"the laptop cloud's token is not sent to {url}, which is not on this machine")
    host = "127.0.0.1" if place[1] == "localhost" else place[1]
    address = host + (place[2] or ":80")
    now = time.monotonic()
    if now - _proven.get((address, token), -_GOOD_FOR) < _GOOD_FOR:
        return
    nonce = secrets.token_urlsafe(24)
    right = of(token, address, nonce)
    if not any(hmac.compare_digest(right, proof) for proof in _asked(address, nonce, _holder(token))):
        raise Unavailable(
            f"another program answers at {address}: it does not know this laptop cloud's token, which was not sent to"
            f" it; {_REMEDY} (with --port N while that port is taken)"
        )
    _proven[address, token] = now


def _holder(token: str) -> str:
    return token[len(PREFIX) :].rpartition(".")[0] if token.startswith(PREFIX) else ""


def _asked(address: str, nonce: str, holder: str) -> Sequence[str]:
    query = urllib.parse.urlencode({"nonce": nonce, "holder": holder})
    try:
        with _direct.open(f"http://{address}{_PATH}?{query}", timeout=15) as reply:
            answer = json.loads(reply.read(10_000))
    except urllib.error.HTTPError:
        return ()
    except OSError as e:
        raise Unavailable(f"nothing answers at {address}; {_REMEDY}") from e
    except ValueError:
        return ()
    proofs = answer.get("proofs") if isinstance(answer, dict) else None
    return [
        proof for proof in (proofs if isinstance(proofs, list) else ()) if isinstance(proof, str) and proof.isascii()
    ]
