"""The version of this package, which is that of the Mayfly that it came with."""

from importlib import metadata


def installed() -> str:
    """As the package says it, ``0.1.0``; ``0+unknown`` for a folder of sources that is not installed."""
    try:
        return metadata.version("mayfly")
    except metadata.PackageNotFoundError:
        return "0+unknown"
