# Sourced by scripts that need Google's emulators of Firestore and Pub/Sub.

no_emulators="gcloud's Firestore and Pub/Sub emulators are not installed here; install them with: gcloud components install cloud-firestore-emulator pubsub-emulator"

have_emulators() {
  local sdk
  command -v gcloud >/dev/null || return 1
  sdk=$(dirname "$(dirname "$(readlink -f "$(command -v gcloud)")")")
  ls "$sdk"/platform/pubsub-emulator/lib/*.jar "$sdk"/platform/cloud-firestore-emulator/*.jar >/dev/null 2>&1
}

# need_emulators: or the script is skipped, which is a failure in CI.
need_emulators() {
  have_emulators && return
  echo "$(basename "$0"): SKIPPED: $no_emulators"
  [ "${CI:-}" != true ] || exit 1
  exit 0
}
