"""Thirty tasks; some fail, one is slow."""

import time


def work(x):
    time.sleep(8 if x == 17 else 0.05)
    return 1 / (x % 10)
