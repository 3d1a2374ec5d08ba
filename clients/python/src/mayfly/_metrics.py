"""Metrics over time: of each attempt an object with its whole history, beside its log."""

from __future__ import annotations

import datetime
import json
import math
import re
from typing import Any, Callable, Iterable, NamedTuple

_NAME = re.compile(r".*/logs/metrics/\d{8}/([^/]+)/(\d{5,9})\.metrics\.jsonl")
_METRIC = re.compile(r"[A-Za-z0-9_.:/-]{1,64}")
_MOST = 32  # names of one task


class MetricsRow(NamedTuple):
    """What the metrics of an attempt were at one time."""

    at: datetime.datetime
    values: dict[str, float]


class MetricsHistory(NamedTuple):
    """What the metrics of one attempt were over time: ``rows`` as of ``stored_at``; of a long history every n-th."""

    attempt: str
    stored_at: datetime.datetime
    rows: list[MetricsRow]


def histories(
    objects: Iterable[tuple[str, datetime.datetime]], read: Callable[[str], bytes | None]
) -> list[MetricsHistory]:
    """Those of one task's attempts, the oldest first: of each the object with the highest number has all."""
    newest: dict[str, tuple[int, str, datetime.datetime]] = {}
    for url, stored in objects:
        place = _NAME.fullmatch(url)
        if place and int(place[2]) >= newest.get(place[1], (0,))[0]:
            newest[place[1]] = (int(place[2]), url, stored)
    ordered = sorted(newest.items(), key=lambda item: (item[1][2], item[0]))
    return [MetricsHistory(attempt, stored, _rows(read(url) or b"")) for attempt, (_, url, stored) in ordered]


def _rows(content: bytes) -> list[MetricsRow]:
    return [row for line in content.decode(errors="replace").splitlines() for row in _row(line)]


def _row(line: str) -> list[MetricsRow]:
    """One, or none: whoever may write a log may write anything there."""
    try:
        found = json.loads(line)
        at = datetime.datetime.fromisoformat(str(found["at"]).replace("Z", "+00:00"))
        values = {str(name): float(value) for name, value in found["values"].items() if _is_metric(name, value)}
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError):
        return []
    whole = len(values) == len(found["values"]) <= _MOST and at.tzinfo is not None
    return [MetricsRow(at, values)] if whole else []


def _is_metric(name: str, value: Any) -> bool:
    number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return number and math.isfinite(value) and _METRIC.fullmatch(name) is not None
