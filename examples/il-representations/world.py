"""Two small environments, their expert, and what a learner sees of them.

The agent stands at (x, y) and is shown a marker at (a, b). In `move-to-goal` it has to reach the marker, in
`move-to-mirror` the point opposite of it. It never sees the four numbers, but 32 that mix them with noise.
"""

import os
import random
from pathlib import Path

VOLUME = Path(os.environ.get("MAYFLY_MOUNT_IL", "/mnt/il"))  # where the storage "il" of the cluster is
DIMENSIONS, ACTIONS = 32, ((1, 0), (-1, 0), (0, 1), (0, -1))
STEP, NEAR, LONGEST, NOISE = 0.15, 0.2, 25, 0.4


class World:
    def __init__(self, name, seed):
        if name not in ("move-to-goal", "move-to-mirror"):
            raise SystemExit(f"no environment '{name}'; there are move-to-goal and move-to-mirror")
        lens = random.Random(name)  # the same for all seeds
        self._lens = [[lens.gauss(0, 0.35) for _ in range(4)] for _ in range(DIMENSIONS)]
        self._sign = 1 if name == "move-to-goal" else -1
        self._random = random.Random(f"{name}/{seed}")

    def reset(self):
        self._state = [self._random.uniform(-1, 1) for _ in range(4)]
        return self.look()

    def look(self):
        return [
            sum(w * s for w, s in zip(row, self._state)) + self._random.gauss(0, NOISE) for row in self._lens
        ]

    def _gap(self):
        x, y, a, b = self._state
        return self._sign * a - x, self._sign * b - y

    def expert(self):
        """The step along the longer way."""
        dx, dy = self._gap()
        return max(range(4), key=lambda i: ACTIONS[i][0] * dx + ACTIONS[i][1] * dy)

    def step(self, action):
        """The next observation, and whether the place is reached."""
        for i in (0, 1):
            self._state[i] = max(-1.0, min(1.0, self._state[i] + STEP * ACTIONS[action][i]))
        dx, dy = self._gap()
        return self.look(), dx * dx + dy * dy < NEAR * NEAR

    def success(self, policy, episodes):
        """The part of episodes in which a policy arrives in time."""
        arrived = 0
        for _ in range(episodes):
            seen, there, steps = self.reset(), False, 0
            while not there and steps < LONGEST:
                seen, there = self.step(policy(seen))
                steps += 1
            arrived += there
        return arrived / episodes
