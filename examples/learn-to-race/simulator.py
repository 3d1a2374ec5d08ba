"""The simulator, a program of its own as the group's is: simulator.py TRACK.

Each line of standard input is a steering and a throttle between -1 and 1, or `reset`; each line of output is what the
car sees: its speed, its offset from the middle, its angle to the road, the bends ahead, how far it has come in laps,
and whether it has left the road.
"""

import json
import math
import sys

PACE, GRIP, WIDTH = 0.1, 0.9, 5.0


class Road:
    def __init__(self, path):
        self._bends = json.load(open(path))["bends"]  # curvature, one for each metre
        self.length = len(self._bends)

    def bend(self, metre):
        return self._bends[int(metre) % self.length]


class Car:
    def __init__(self, road):
        self._road = road
        self.reset()

    def reset(self):
        self.metre, self.offset, self.angle, self.speed, self.off = 0.0, 0.0, 0.0, 5.0, False

    def drive(self, steering, throttle):
        if self.off:
            return
        turn = 0.15 * max(-1.0, min(1.0, steering))
        # Tyres hold a bend only up to a speed.
        turn = math.copysign(min(abs(turn), GRIP * 9.81 / max(1.0, self.speed**2)), turn)
        self.speed = max(1.0, min(60.0, self.speed + 8 * PACE * max(-1.0, min(1.0, throttle))))
        self.angle += (turn - self._road.bend(self.metre)) * self.speed * PACE
        self.offset += self.speed * math.sin(self.angle) * PACE
        self.metre += max(0.0, self.speed * math.cos(self.angle)) * PACE
        self.off = abs(self.offset) > WIDTH or abs(self.angle) > 1.5

    def sees(self):
        ahead = [sum(self._road.bend(self.metre + d + i) for i in range(5)) / 5 for d in (2, 15, 35)]
        return [self.speed, self.offset, self.angle, *ahead, self.metre / self._road.length, int(self.off)]


def main():
    car = Car(Road(sys.argv[1]))
    for line in sys.stdin:
        if line.strip() == "reset":
            car.reset()
        else:
            car.drive(*map(float, line.split()))
        print(*(f"{v:.6f}" for v in car.sees()), flush=True)


if __name__ == "__main__":
    main()
