"""Draws the track: track.py FILE. A closed road of 900 m with seven bends; curvature, one number for each metre."""

import json
import math
import sys
from pathlib import Path

BENDS = ((60, 70, 0.022), (190, 50, -0.018), (300, 90, 0.02), (450, 40, 0.04), (560, 60, -0.012), (650, 60, 0.024), (790, 80, 0.019))
LENGTH = 900


def track():
    bends = [0.0] * LENGTH
    for begin, length, sharpness in BENDS:
        for i in range(length):
            bends[begin + i] = round(sharpness * math.sin(math.pi * i / length), 6)
    return {"name": "thruxton", "bends": bends}


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(track()))
