#!/usr/bin/env bash
# Runs the classifier over every input twice, on this machine and with no cluster, and checks that
# both runs give the same bytes and a line for each line. JAVA=/path/to/java chooses another Java.
set -euo pipefail
cd "$(dirname "$0")"
java=${JAVA:-java}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$java" -version 2>&1 | head -1

mkdir "$work/classes" "$work/first" "$work/second"
# Compiled once: the launch from source, which the job uses, is tried on one file below.
"$(dirname "$(readlink -f "$(command -v "$java")")")/javac" -d "$work/classes" Classify.java

files=0 posts=0
for input in data/*.jsonl.gz; do
  name=$(basename "$input")
  for run in first second; do
    "$java" -cp "$work/classes" Classify "$input" "$work/$run/$name" >>"$work/$run.log"
  done
  cmp "$work/first/$name" "$work/second/$name"
  lines=$(gzip -dc "$input" | wc -l)
  scored=$(gzip -dc "$work/first/$name" |
    grep -cE '^\{"id":".+","score":[01]\.[0-9]+,"label":"(fine|toxic)"\}$')
  [ "$lines" -eq "$scored" ] || { echo "$name: $lines posts in, $scored out" >&2; exit 1; }
  files=$((files + 1)) posts=$((posts + lines))
done
"$java" Classify.java "$input" "$work/from-source.gz" >/dev/null
cmp "$work/from-source.gz" "$work/first/$name"

[ "$files" -ge 40 ] && [ "$posts" -ge 2000 ] || { echo "only $posts posts in $files files" >&2; exit 1; }
size=$(cat data/*.jsonl.gz | wc -c)
[ "$size" -le 3000000 ] || { echo "$size bytes of data: more than 3 MB" >&2; exit 1; }

# Bad input is told with its place, and is the user's failure.
printf '{"id":"a","text":"b"}\n{"id":"c"}\n' | gzip >"$work/bad.gz"
if message=$("$java" -cp "$work/classes" Classify "$work/bad.gz" "$work/none.gz" 2>&1); then
  echo "a post without a text was accepted" >&2; exit 1
fi
case $message in *"line 2: no string \"text\""*) ;; *) echo "$message" >&2; exit 1 ;; esac

toxic=$(cat "$work"/first/*.gz | gzip -dc | grep -c '"label":"toxic"')
echo "$files files, $size bytes, $posts posts, $toxic toxic: equal bytes in both runs"
