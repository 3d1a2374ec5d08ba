#!/bin/sh
# gcloud storage as a task uses it. Arguments: a bucket that is there, one to make, and a folder to write to.
set -eu
there=gs://$1 made=gs://$2 folder=$3
want() { # want FOUND WANTED
  [ "$1" = "$2" ] || { printf 'found:\n%s\nwanted:\n%s\n' "$1" "$2" >&2; exit 1; }
}
mkdir -p "$folder/in" && echo hello >"$folder/in/a.txt" && echo b >"$folder/in/b ü.txt"
head -c 9000000 /dev/zero >"$folder/in/big"

gcloud storage cp -r "$folder/in" "$there/gc"
want "$(gcloud storage ls "$there/gc/**")" "$there/gc/a.txt
$there/gc/b ü.txt
$there/gc/big"
gcloud storage cp "$there/gc/big" "$folder/back" && cmp "$folder/in/big" "$folder/back"
echo changed >"$folder/in/a.txt"
gcloud storage rsync -r "$folder/in" "$there/gc"
want "$(gcloud storage cat "$there/gc/a.txt")" changed
want "$(gcloud storage objects list "$there/gc/a*" --format='value(name)')" gc/a.txt
gcloud storage mv "$there/gc/a.txt" "$there/gc/moved.txt"
gcloud storage rm -r "$there/gc"
gcloud storage buckets create "$made" --location=us-east1
gcloud storage buckets update "$made" --update-labels=team=lab
want "$(gcloud storage buckets describe "$made" --format='value(labels.team)')" lab
gcloud storage cp "$folder/in/a.txt" "$made/x/y"
gcloud storage rm -r "$made"
want "$(gcloud storage ls)" "$there/"
