"""Counts the primes of one stretch of numbers; needs nothing but Python 3."""

import json
import os
import socket
import sys

STRETCH = 20_000


def is_prime(number):
    return number > 1 and all(number % d for d in range(2, int(number**0.5) + 1))


index, output = int(sys.argv[1]), sys.argv[2]
first = index * STRETCH
found = sum(map(is_prime, range(first, first + STRETCH)))
with open(output, "w") as file:
    json.dump(
        {
            "from": first,
            "to": first + STRETCH - 1,
            "primes": found,
            "host": socket.gethostname(),
            "attempt": os.environ.get("MAYFLY_ATTEMPT", ""),
        },
        file,
    )
    file.write("\n")
print(f"{found} primes from {first} on")
