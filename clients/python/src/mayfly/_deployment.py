"""Where a control plane is, and calls over HTTP.

A task of a job with ``submitter: true`` finds everything in its variables. Elsewhere a project of
Google Cloud is named by ``MAYFLY_PROJECT`` and ``MAYFLY_REGION``; otherwise the laptop cloud of
``MAYFLY_HOME`` (``~/.mayfly``) is used, which writes its URLs into ``local.json``.
"""

from __future__ import annotations

import base64
import datetime
import getpass
import http.client
import json
import os
import re
import subprocess
import time
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any, Iterator, Mapping, Protocol

from . import _documents, _proof
from ._errors import Denied, InvalidInput, NotFound, Unanswered, Unavailable
from ._http import Connections

_MESSAGE_BYTES = 256 * 1024
_TRIES = 4
_TOKEN_SECONDS = 45 * 60
_PUBSUB = "https://pubsub.googleapis.com"
_STORAGE = "https://storage.googleapis.com"
# Whose topics can be called after them, and whose tokens a laptop cloud's owner gave away.
_PERSON = re.compile("[a-z]([-a-z0-9]{0,38}[a-z0-9])?")
_INVITED = re.compile(r"mayfly-(?:viewer|submitter|admin)-([-a-z0-9]+)\.")
_METADATA = "http://metadata.google.internal/computeMetadata/v1/instance/service-accounts/default/"


def quoted(text: object) -> str:
    return urllib.parse.quote(str(text), safe="")


def as_object(answer: Any) -> dict[str, Any]:
    """An answer of the read API that is an object."""
    return dict(answer)


def as_list(answer: Any) -> list[dict[str, Any]]:
    """An answer of the read API that is a list of objects."""
    return list(answer)


class TokenSource(Protocol):
    """Where the tokens of calls come from."""

    def access(self) -> str: ...

    def identity(self) -> str: ...


class Tokens:
    """Tokens of the person who is logged in with gcloud, or of the machine's service account."""

    def __init__(self, audience: str) -> None:
        self._audience = audience
        self._known: dict[str, tuple[str, float]] = {}

    def access(self) -> str:
        return self._token("access", "MAYFLY_ACCESS_TOKEN")

    def identity(self) -> str:
        return self._token("identity", "MAYFLY_IDENTITY_TOKEN")

    def _token(self, kind: str, variable: str) -> str:
        if os.environ.get(variable):
            return os.environ[variable]
        token, until = self._known.get(kind, ("", 0.0))
        if time.monotonic() >= until:
            token = self._gcloud(kind) or self._metadata(kind)
            if not token:
                raise Denied(f"no login here: run gcloud auth login, or set {variable}")
            self._known[kind] = (token, time.monotonic() + _TOKEN_SECONDS)
        return token

    @staticmethod
    def _gcloud(kind: str) -> str:
        try:
            done = subprocess.run(["gcloud", "auth", f"print-{kind}-token"], capture_output=True, text=True, timeout=30)
        except (OSError, subprocess.TimeoutExpired):
            return ""
        return done.stdout.strip() if done.returncode == 0 else ""

    def _metadata(self, kind: str) -> str:
        path = "token" if kind == "access" else f"identity?audience={quoted(self._audience)}"
        request = urllib.request.Request(_METADATA + path, headers={"Metadata-Flavor": "Google"})
        try:
            with urllib.request.urlopen(request, timeout=2) as reply:
                text: str = reply.read().decode()
        except OSError:
            return ""
        return str(json.loads(text)["access_token"]) if kind == "access" else text.strip()


class TaskTokens:
    """Tokens of a task that may submit jobs. The file is read anew, because it is replaced in time."""

    def __init__(self, file: str) -> None:
        self._file = Path(file)

    def access(self) -> str:
        return str(self._read()["accessToken"])

    def identity(self) -> str:
        return str(self._read()["identityToken"])

    def _read(self) -> Any:
        try:
            return json.loads(self._file.read_text())
        except (OSError, ValueError) as e:
            raise Denied(
                f"MAYFLY_TOKEN_FILE names {self._file}, which holds no tokens ({e}): they last as long as the"
                " task; unset it elsewhere"
            ) from e


class LaptopTokens:
    """The owner's token of a laptop cloud, and for its buckets the one with a submitter's rights."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.access()

    def access(self) -> str:
        """Read anew, because each start of the laptop cloud makes another one."""
        return (self._folder / "token").read_text().strip()

    def identity(self) -> str:
        return self.access()

    def person(self) -> str | None:
        holder = _INVITED.match(self.access())
        return holder[1] if holder else None

    def objects(self) -> str:
        person = self._folder / "person"
        return person.read_text().strip() if person.exists() else self.access()


class Deployment:
    """The URLs of one control plane. ``local`` says whether it is a laptop cloud."""

    def __init__(self, project: str, api: str, pubsub: str, storage: str, tokens: TokenSource) -> None:
        self.project = project
        self.api = api
        self.pubsub = pubsub
        self.storage = storage
        self._tokens = tokens
        self._connections = Connections()

    @property
    def local(self) -> bool:
        return isinstance(self._tokens, LaptopTokens)

    @staticmethod
    def find(environment: Mapping[str, str] | None = None) -> Deployment:
        environment = os.environ if environment is None else environment
        project = environment.get("MAYFLY_PROJECT", "").strip()
        return Deployment._project(project, environment) if project else Deployment._laptop(environment)

    @staticmethod
    def _project(project: str, environment: Mapping[str, str]) -> Deployment:
        region = environment.get("MAYFLY_REGION") or "us-central1"
        emulator = environment.get("PUBSUB_EMULATOR_HOST")
        api = environment.get("MAYFLY_API_URL") or f"https://{region}-{project}.cloudfunctions.net/mayfly-api"
        file = environment.get("MAYFLY_TOKEN_FILE")
        return Deployment(
            project,
            api,
            f"http://{emulator}" if emulator else environment.get("MAYFLY_PUBSUB_URL") or _PUBSUB,
            environment.get("MAYFLY_STORAGE_ENDPOINT") or _STORAGE,
            TaskTokens(file) if file else Tokens(api),
        )

    @staticmethod
    def _laptop(environment: Mapping[str, str]) -> Deployment:
        home = Path(environment.get("MAYFLY_HOME") or Path.home() / ".mayfly")
        try:
            urls = json.loads((home / "local.json").read_text())
            tokens = LaptopTokens(home / "cloud")
            return Deployment(urls["project"], urls["api"], urls["pubsub"], urls["storage"], tokens)
        except FileNotFoundError:
            raise Unavailable(
                f"no laptop cloud runs ({home / 'local.json'} is missing): start one with mayfly local,"
                " or name a project with MAYFLY_PROJECT"
            ) from None
        except (OSError, ValueError, KeyError) as e:
            raise Unavailable(f"{home / 'local.json'} cannot be read ({e}): restart mayfly local") from e

    def _headers(self, url: str) -> dict[str, str]:
        token = self._bearer(url)
        return {"Authorization": f"Bearer {token}"} if token else {}

    def _bearer(self, url: str) -> str | None:
        tokens = self._tokens
        if isinstance(tokens, LaptopTokens):
            objects = ("", "/upload", "/download")
            at_bucket = url.startswith(tuple(f"{self.storage}{way}/storage/v1/" for way in objects))
            if url.startswith(self.pubsub + "/") and self.pubsub != self.storage:
                return None  # Google's emulator, which accepts every caller
            return tokens.objects() if at_bucket else tokens.access()
        if isinstance(tokens, TaskTokens):
            return tokens.identity() if url.startswith(self.api + "/") else tokens.access()
        if url.startswith((_PUBSUB + "/", _STORAGE + "/")):
            return tokens.access()
        return tokens.identity() if url.startswith("https://") else None

    def _prove(self, url: str) -> None:
        """Raises Unavailable unless a laptop cloud's server has proven itself: it gets nothing before."""
        token = self._bearer(url)
        if self.local and token:
            _proof.require(url, token)
        elif isinstance(self._tokens, TaskTokens):
            _proof.check(url, self._tokens.access())

    def call(
        self,
        method: str,
        url: str,
        body: bytes | None = None,
        content_type: str = "application/json",
        timeout: float = 60,
    ) -> tuple[int, bytes]:
        """Status and bytes of an answer. Repeats the call after 429, 5xx and broken connections."""
        sent = False
        for attempt in range(1, _TRIES + 1):
            try:
                self._prove(url)
                headers = self._headers(url)
                if body is not None:
                    headers["Content-Type"] = content_type
                status, answer = self._connections.call(method, url, body, headers, timeout)
                sent = sent or status >= 500
                if not (status == 429 or status >= 500) or attempt == _TRIES:
                    return status, answer
            except Unavailable as e:
                if attempt == _TRIES and sent and method == "POST":
                    raise Unanswered(f"{e}; an earlier try may have been carried out") from e
                if attempt == _TRIES:
                    raise
            except (OSError, http.client.HTTPException) as e:  # URLError and time limits too
                sent = sent or not isinstance(e, ConnectionRefusedError)
                if attempt == _TRIES and sent and method == "POST":
                    raise Unanswered(f"{_host(url)} does not answer ({e}); it may have been done all the same") from e
                if attempt == _TRIES:
                    raise Unavailable(f"{_host(url)} does not answer ({e}); try again") from e
            time.sleep(0.2 * 2**attempt)
        raise AssertionError("unreachable")

    def get(self, path: str, timeout: float = 60) -> Any:
        """The JSON at a path of the read API."""
        status, body = self.call("GET", self.api + path, timeout=timeout)
        if status == 200:
            return json.loads(body)
        reason = _reason(body)
        if status == 404:
            raise NotFound(reason)
        if status == 400:
            raise InvalidInput(reason)
        if status in (401, 403):
            raise Denied(f"{self.api}: {reason}")
        raise Unavailable(f"{self.api}{path} answers HTTP {status}: {reason}")

    def publish(self, topic: str, document: Mapping[str, Any] | bytes) -> str:
        """Publishes a document and returns the message's id. A repeat with one submission is one job.

        Who may not publish to the topic of all does so to their own, ``TOPIC-PERSON``.
        """
        data = document if isinstance(document, bytes) else _documents.message(document)
        if len(data) > _MESSAGE_BYTES:
            raise InvalidInput(
                f"the message has {len(data) // 1024} KB; the limit is {_MESSAGE_BYTES // 1024} KB:"
                " put long lists into objects (tasks: {inputs: gs://…}) or use count"
            )
        message = {
            "data": base64.b64encode(data).decode(),
            "attributes": {"mayfly-publisher": _user()},
        }
        content = json.dumps({"messages": [message]}).encode()
        url, status, body = self._post(topic, content)
        if status in (401, 403):
            person = os.environ.get("MAYFLY_OWNER") or self.invited() or _user()
            if _PERSON.fullmatch(person):
                url, status, body = self._post(f"{topic}-{person}", content)
            if status in (401, 403, 404):
                raise Denied(
                    f"publishing to {topic} of project {self.project} is denied, and {person} has no topic there: ask"
                    " for roles/pubsub.publisher on it, or to have topics of your own (people.personal in Terraform),"
                    " and set MAYFLY_OWNER to your name there"
                )
        if status == 200:
            return str(json.loads(body)["messageIds"][0])
        if status == 404:
            raise NotFound(f"no topic {topic} in project {self.project}: deploy Mayfly there first")
        if status >= 500:
            raise Unanswered(f"{url} answers HTTP {status}: {_reason(body)}; it may have been done all the same")
        raise Unavailable(f"{url} answers HTTP {status}: {_reason(body)}")

    def _post(self, topic: str, content: bytes) -> tuple[str, int, bytes]:
        url = f"{self.pubsub}/v1/projects/{self.project}/topics/{topic}:publish"
        return url, *self.call("POST", url, content)

    def invited(self) -> str | None:
        """Whom the owner of a laptop cloud gave the token here; None for the owner, and in a project."""
        tokens = self._tokens
        return tokens.person() if isinstance(tokens, LaptopTokens) else None

    def storage_client(self) -> Any:
        """A client of ``google-cloud-storage``, which must be installed, for this deployment's buckets.

        A laptop cloud's are reached with the right to read, and to create what does not exist.
        """
        from google.cloud import storage
        from google.oauth2.credentials import Credentials

        if not isinstance(self._tokens, LaptopTokens):
            return storage.Client(project=self.project)
        self._prove(self.storage + "/storage/v1/")
        credentials = Credentials(self._tokens.objects())  # type: ignore[no-untyped-call]
        return storage.Client(self.project, credentials, client_options={"api_endpoint": self.storage})

    def read_object(self, url: str) -> bytes | None:
        """The bytes of an object, or None."""
        bucket, name = _parts(url)
        path = f"{self.storage}/storage/v1/b/{quoted(bucket)}/o/{quoted(name)}?alt=media"
        status, body = self.call("GET", path, timeout=300)
        if status == 404:
            return None
        if status != 200:
            raise _storage_error(url, status, body)
        return body

    def list_objects(self, prefix: str) -> Iterator[str]:
        """The URLs of all objects below a prefix, sorted."""
        return (url for url, _ in self.list_stored(prefix))

    def list_stored(self, prefix: str) -> Iterator[tuple[str, datetime.datetime]]:
        """All objects below a prefix, sorted, and when each was stored."""
        bucket, name = _parts(prefix)
        token: str | None = ""
        while token is not None:
            path = f"{self.storage}/storage/v1/b/{quoted(bucket)}/o?prefix={quoted(name)}&pageToken={quoted(token)}"
            status, body = self.call("GET", path)
            if status != 200:
                raise _storage_error(prefix, status, body)
            page = json.loads(body)
            for item in page.get("items", []):
                stored = datetime.datetime.fromisoformat(item["updated"].replace("Z", "+00:00"))
                yield f"gs://{bucket}/{item['name']}", stored
            token = page.get("nextPageToken")

    def create_object(self, url: str, body: bytes) -> None:
        """Creates an object once; an existing one stays as it is."""
        bucket, name = _parts(url)
        path = (
            f"{self.storage}/upload/storage/v1/b/{quoted(bucket)}/o"
            f"?uploadType=media&ifGenerationMatch=0&name={quoted(name)}"
        )
        status, answer = self.call("POST", path, body, "application/octet-stream", timeout=600)
        if status == 403 and self._exists(bucket, name):
            return  # who may create but not replace is refused so, where the object exists
        if status not in (200, 412):
            raise _storage_error(url, status, answer)

    def _exists(self, bucket: str, name: str) -> bool:
        return self.call("GET", f"{self.storage}/storage/v1/b/{quoted(bucket)}/o/{quoted(name)}")[0] == 200


def _user() -> str:
    try:
        return os.environ.get("MAYFLY_OWNER") or getpass.getuser()
    except Exception:  # no such user: in a container, for example
        return "unknown"


def _parts(url: str) -> tuple[str, str]:
    if not url.startswith("gs://"):
        raise InvalidInput(f"{url} is not an object of Cloud Storage: write gs://BUCKET/NAME")
    bucket, _, name = url[len("gs://") :].partition("/")
    return bucket, name


def _storage_error(url: str, status: int, body: bytes) -> Denied | Unavailable:
    kind = Denied if status in (401, 403) else Unavailable
    return kind(f"{url}: Cloud Storage answers HTTP {status}: {_reason(body)}")


def _reason(body: bytes) -> str:
    try:
        error = json.loads(body).get("error", "")
        return error.get("message", "") if isinstance(error, dict) else str(error)
    except (ValueError, AttributeError):
        return body[:300].decode(errors="replace").strip()


def _host(url: str) -> str:
    parts = urllib.parse.urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}"
