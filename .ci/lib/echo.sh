# The provider, the echo cloud and Terraform on it, for .ci/terraform-echo. It wants $root, $version and .ci/lib/polling.sh.
skipped() {
  echo "terraform-echo: $1; set MAYFLY_TERRAFORM_PROVIDER to a binary of terraform-provider-google $version" >&2
  echo "terraform-echo: SKIPPED" >&2
  exit 0
}
for tool in terraform python3 curl gcloud; do command -v "$tool" >/dev/null || skipped "there is no $tool"; done

work=$(mktemp -d)
cloud=
trap '[ -z "$cloud" ] || kill "$cloud" 2>/dev/null || true; rm -rf "$work"' EXIT

# --- the provider, where Terraform looks for it
provider=${MAYFLY_TERRAFORM_PROVIDER:-$HOME/.cache/mayfly/terraform-provider-google_v$version}
fetched() {  # by Terraform, from its registry
  mkdir -p "$work/fetch"
  printf 'terraform {\n  required_providers {\n    google = {\n      source  = "hashicorp/google"\n      version = "%s"\n    }\n  }\n}\n' "$version" >"$work/fetch/main.tf"
  (cd "$work/fetch" && timeout 600 terraform providers mirror "$work/fetched") >"$work/fetch.log" 2>&1 || return 1
  (cd "$work/fetch" && unzip -q -d "$work/fetched" "$work"/fetched/registry.terraform.io/hashicorp/google/*.zip) || return 1
  find "$work/fetched" -name 'terraform-provider-google_v*' -exec cp {} "$provider.new" \;
}
built() {
  local sources=$MAYFLY_TERRAFORM_SOURCE
  if [ ! -f "$sources/main.go" ]; then
    mkdir "$work/sources"
    git -C "$sources" archive "v$version" -- go.mod go.sum main.go version google | tar x -C "$work/sources" || return 1
    sources=$work/sources
  fi
  echo "terraform-echo: building the provider; that takes some minutes, once"
  (cd "$sources" && go build -trimpath -ldflags='-s -w' -o "$provider.new" .)
}
if [ ! -x "$provider" ] && [ -z "${MAYFLY_TERRAFORM_PROVIDER:-}" ]; then
  mkdir -p "$(dirname "$provider")"
  if [ -n "${MAYFLY_TERRAFORM_SOURCE:-}" ]; then
    built || skipped "the provider could not be built"
  else
    fetched || skipped "Terraform's registry does not answer"
  fi
  chmod +x "$provider.new"
  mv "$provider.new" "$provider"
fi
[ -x "$provider" ] || skipped "$provider is not there"
case $(uname -sm) in
  "Linux x86_64") platform=linux_amd64 ;;
  "Linux aarch64") platform=linux_arm64 ;;
  "Darwin arm64") platform=darwin_arm64 ;;
  *) skipped "$(uname -sm) is no platform that is known here" ;;
esac
mirror=$work/mirror/registry.terraform.io/hashicorp/google/$version/$platform
mkdir -p "$mirror"
ln -s "$(realpath "$provider")" "$mirror/terraform-provider-google_v$version"
cat >"$work/terraform.rc" <<RC
provider_installation {
  filesystem_mirror {
    path = "$work/mirror"
  }
}
RC
export TF_CLI_CONFIG_FILE=$work/terraform.rc CHECKPOINT_DISABLE=1 TF_IN_AUTOMATION=1 GOOGLE_OAUTH_ACCESS_TOKEN=echo
# What has no endpoint of its own below ends here, and not on the network.
export HTTPS_PROXY=http://127.0.0.1:9 NO_PROXY=127.0.0.1,localhost no_proxy=127.0.0.1,localhost

# gcloud calls it too, with no login of anybody's.
echo echo >"$work/token"
export CLOUDSDK_CONFIG=$work/gcloud CLOUDSDK_AUTH_ACCESS_TOKEN_FILE=$work/token CLOUDSDK_CORE_DISABLE_USAGE_REPORTING=true \
  CLOUDSDK_CORE_DISABLE_PROMPTS=1

# --- the cloud: its usual rules are the strictest (terraform/echo/echo_cloud/settings.py)
begin_cloud() {  # NAME SEED [RULE=VALUE...]
  [ -z "$cloud" ] || { kill "$cloud" 2>/dev/null || true; wait "$cloud" 2>/dev/null || true; }
  log=$work/$1.jsonl
  local seed=$2
  shift 2
  : >"$work/cloud.out"
  env PYTHONPATH="$root/terraform/echo" PYTHONDONTWRITEBYTECODE=1 ECHO_PORT=0 ECHO_LOG="$log" ECHO_SEED="$seed" "$@" \
    python3 -m echo_cloud >"$work/cloud.out" 2>"$work/cloud.err" &
  cloud=$!
  interval=0.1 within 10 grep 127.0.0.1 "$work/cloud.out" || true
  base=http://$(grep -o '127.0.0.1:[0-9]*' "$work/cloud.out") || { cat "$work/cloud.err" >&2; exit 1; }
  local service path
  while read -r service path; do
    export "GOOGLE_${service}_CUSTOM_ENDPOINT=$base/$path"
  done <"$root/terraform/echo/endpoints"
  export CLOUDSDK_API_ENDPOINT_OVERRIDES_SERVICEUSAGE=$base/serviceusage.googleapis.com/ \
    CLOUDSDK_API_ENDPOINT_OVERRIDES_CLOUDRESOURCEMANAGER=$base/cloudresourcemanager.googleapis.com/
}
# What docs/deploy.md has before the first apply, with gcloud itself; then the minutes that building takes.
prepared() {
  local line lines=0 sets=:
  while IFS= read -r line; do
    # A shell of its own types each line; what an earlier one has set is set again.
    if [[ $line == number=* ]]; then sets=$line; continue; fi
    interval=2 within 100 typed "$sets; $line" || failed "gcloud: $line: $(tail -n 3 "$work/words")"
    lines=$((lines + 1))
  done < <(sed -n 's/^        \(\(number=$(gcloud projects describe\|gcloud \(services enable\|beta services identity\|projects add-iam-policy-binding\)\) .*\)/\1/p' "$root/docs/deploy.md")
  [ "$lines" = 3 ] || failed "docs/deploy.md has $lines lines for gcloud before the first apply, and not 3"
  answered || failed "Cloud Resource Manager does not answer"
}
typed() { bash -euc "$1" >"$work/words" 2>&1; }
answered() {
  interval=1 within 100 curl -sSf -X POST -H 'X-Goog-User-Project: lab-batch' --data '{}' "$base/cloudresourcemanager.googleapis.com/v1/projects/lab-batch:getIamPolicy"
}
told() { curl -sSf -X POST --data "$2" "$base/_echo/$1" >/dev/null; }
mark() { phase=$1; told mark "$1"; }
judged() { "$root/terraform/echo/judge.py" "$log" "$1" "$phase"; }

failed() {
  echo "terraform-echo: $example, $phase: $1" >&2
  grep -A12 -h '^Error' "$work/words" | head -n 60 >&2 || true
  exit 1
}
tf() {  # COMMAND...: in the example's folder, with its variables
  local command=$1
  shift
  (cd "$folder" && terraform "$command" -no-color -input=false "${vars[@]}" "$@") >"$work/words" 2>&1
}
apply() { tf apply -auto-approve "$@" || failed "apply ended with $?"; }
# COMMAND ends with errors, each of which has the words.
refused() {  # WORDS COMMAND...
  local words=$1 all some
  ! "${@:2}" || failed "nothing was refused with '$words'"
  all=$(grep -c '^Error: ' "$work/words" || true)
  some=$(tr '\n' ' ' <"$work/words" | tr -s ' ' | grep -oF -- "$words" | wc -l)
  [ "$all" -gt 0 ] && [ "$some" -ge "$all" ] || failed "$all errors, $some of them with '$words'"
  refusals=$all
}
has() { curl -sSf "$base/_echo/state" | grep -qF -- "\"$1"; }  # a key of what the cloud has
empty_plan() {
  local status=0
  tf plan -detailed-exitcode || status=$?
  [ "$status" = 0 ] || { sed -n '/will be\|must be/p' "$work/words" >&2; failed "the next plan is not empty ($status)"; }
}
count() { (cd "$folder" && terraform state list 2>/dev/null | grep -vc '\.data\.\|^data\.' || true); }
seconds() { date +%s; }
told_time() { echo "$example, $phase: $1 ($(($(seconds) - begun)) s)"; begun=$(seconds); }

# An example in a folder of its own, with its inputs and its cloud. An override file is read as if it were written into main.tf.
laid() {  # NAME EXAMPLE [RULE=VALUE...]
  example=$1 folder=$work/$1/terraform/examples/$2 phase=first begun=$(seconds)
  mkdir -p "$work/$1"
  cp -R "$root/terraform" "$work/$1/terraform"
  find "$work/$1/terraform" -name .terraform -prune -exec rm -rf {} +
  cp terraform/tests/functions.zip terraform/tests/bundle.tar.gz "$work/$1"
  vars=(-var project=lab-batch -var "functions_archive=$work/$1/functions.zip" -var "agent_bundle=$work/$1/bundle.tar.gz")
  [ "$2" = full ] || vars+=(-var 'people=["user:Ada@example.org"]')
  local seed=$root/terraform/echo/seed.$2.json
  [ -f "$seed" ] || seed=
  begin_cloud "$1" "$seed" "${@:3}"
  override ""
  (cd "$folder" && terraform init -no-color -input=false) >"$work/words" 2>&1 || failed "init"
}
override() {
  cat >"$folder/echo_override.tf" <<HCL
provider "google" {
  poll_interval = "1s"
}
module "mayfly" {
  settle_seconds = $settle
$1
}
HCL
}

