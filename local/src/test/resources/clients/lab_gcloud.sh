#!/bin/sh
# A whole job by gcloud alone. Arguments: the cloud's endpoint, Pub/Sub's endpoint, a prefix for names, and a folder.
set -eu
endpoint=$1 pubsub=$2 name=$3 folder=$4/$3
export CLOUDSDK_CONFIG="$folder/config" CLOUDSDK_CORE_PROJECT=mayfly-local CLOUDSDK_CORE_DISABLE_PROMPTS=1
export CLOUDSDK_API_ENDPOINT_OVERRIDES_STORAGE="$endpoint/storage/v1/" CLOUDSDK_API_ENDPOINT_OVERRIDES_PUBSUB="$pubsub/"
want() { # want FOUND WANTED
  [ "$1" = "$2" ] || { printf 'found:\n%s\nwanted:\n%s\n' "$1" "$2" >&2; exit 1; }
}
as_owner() { CLOUDSDK_AUTH_ACCESS_TOKEN_FILE="$MAYFLY_HOME/cloud/token" "$@"; }
storage() { as_owner gcloud storage "$@"; }
publish() { as_owner gcloud pubsub topics publish "$1" --message="$2" --format='value(messageIds[0])' >/dev/null; }

mkdir -p "$folder/in"
for i in 1 2 3 4 5; do echo "text $i" >"$folder/in/$i.txt"; done
storage buckets create "gs://$name" --location=us-central1
storage cp -r "$folder/in" "gs://$name/"
as_owner gcloud pubsub topics list --format='value(name)' | grep -qx projects/mayfly-local/topics/mayfly-jobs
want "$(as_owner gcloud pubsub topics describe mayfly-jobs --format='value(name)')" projects/mayfly-local/topics/mayfly-jobs
if publish nobodys-topic '{}' 2>"$folder/error"; then echo "a topic that is not there took a message" >&2; exit 1; fi
grep -q NOT_FOUND "$folder/error"

publish mayfly-clusters '{"apiVersion": "mayfly.dev/v1", "kind": "Cluster", "name": "'"$name"'",
  "bucket": "gs://'"$name"'", "pools": [{"name": "cpu", "machine": {"type": "e2-standard-2"},
  "zones": ["us-central1-a"], "provisioning": "spot", "workers": {"min": 0, "max": 2, "idleAfter": "10s"}}]}'
publish mayfly-jobs '{"apiVersion": "mayfly.dev/v1", "kind": "Job", "name": "count", "cluster": "'"$name"'",
  "tasks": {"inputs": "gs://'"$name"'/in/*.txt", "output": "gs://'"$name"'/out/{stem}"},
  "command": ["sh", "-c", "wc -c <\"$1\" >\"$2\"", "count", "{inputFile}", "{outputFile}"],
  "resources": {"cpu": 1, "memory": "64Mi"}, "timeout": "2m"}'

# Each look is a call of gcloud of a second or two; two minutes are plenty.
looks=0
until [ "$(storage ls "gs://$name/out/*.COMPLETE" 2>/dev/null | wc -l)" = 5 ]; do
  looks=$((looks + 1))
  [ $looks -lt 90 ] || { echo "not done after $looks looks" >&2; storage ls "gs://$name/**" >&2; exit 1; }
done
want "$(storage cat "gs://$name/out/3" | tr -d ' ')" 7
storage rsync -r "gs://$name/out" "$folder"
want "$(ls "$folder"/*.COMPLETE | wc -l | tr -d ' ')" 5
publish mayfly-clusters '{"apiVersion": "mayfly.dev/v1", "kind": "DownCluster", "cluster": "'"$name"'"}'
