#!/usr/bin/env bash
# Makes posts-NNN.jsonl.gz again from Debian's packages of the two texts (README.md in this folder).
# Needs a Debian or Ubuntu with apt, dpkg and a JDK 17 or later; installs nothing.
set -euo pipefail
cd "$(dirname "$0")"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
(cd "$work" && apt-get download dict-jargon dict-devil)
for package in "$work"/*.deb; do dpkg -x "$package" "$work"; done
"${JAVA:-java}" MakeData.java "$work/usr/share/dictd" .
