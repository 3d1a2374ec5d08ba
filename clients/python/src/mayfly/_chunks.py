"""Maps whose tasks have several inputs each: how inputs are cut, and what becomes of lists of results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Mapping, Sequence

from ._errors import InvalidInput


@dataclass(frozen=True)
class Chunks:
    """``size`` inputs a task, given to ``batch`` a call; a batch of 0 gives each input to a call of its own."""

    size: int
    batch: int

    def cut(self, inputs: Sequence[Any]) -> list[Any]:
        """A list of inputs for each task."""
        return [list(inputs[begin : begin + self.size]) for begin in range(0, len(inputs), self.size)]


def chunks_of(chunksize: int | None, batch: int | None, output: str | None) -> Chunks | None:
    """What a map asks for; None if each input has a task of its own."""
    for name, value in (("chunksize", chunksize), ("batch", batch)):
        if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
            raise InvalidInput(f"{name} is {value!r}: write how many inputs, 1 or more")
    if chunksize is None and batch is None:
        return None
    if chunksize is not None and batch is not None and chunksize < batch:
        raise InvalidInput(
            f"a task with {chunksize} inputs (chunksize) never has the {batch} of a call (batch): make chunksize as"
            " large, or leave it out"
        )
    if output is not None and output.endswith(".txt"):
        raise InvalidInput(f"{output} is a text, and the results of several calls are a list: name a .json or .pkl")
    return Chunks(chunksize or batch or 1, batch or 0)


def refuse(method: str, fields: Mapping[str, Any]) -> None:
    """Refuses them where each input has a task of its own."""
    for name in ("chunksize", "batch"):
        if name in fields:
            raise InvalidInput(
                f"{method} has no {name}, which is map's: each of its inputs has a task. A class with __call__, or"
                " runner=True, loads once for all that a machine runs"
            )


def flat(inputs: Any, results: Any, url: str) -> list[Any]:
    """The results of a task with several inputs, one for each."""
    if not isinstance(results, list) or len(results) != len(inputs):
        found = f"{len(results)} results" if isinstance(results, list) else f"a {type(results).__name__}"
        raise InvalidInput(
            f"{url} has {found} for {len(inputs)} inputs: an earlier run with another chunksize or batch left it there;"
            " give a new run a new output"
        )
    return results
