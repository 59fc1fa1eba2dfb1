#!/usr/bin/env bash
# Asks a real stack whatever its own description says it takes, and much that it does not take, for so many seconds
# (first argument, else 120). Ends with another status than 0 when an answer is not what the description says.
# SCHEMATHESIS_SEED repeats a run; SCHEMATHESIS names a program that is installed already.
set -euo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-120}
seed=${SCHEMATHESIS_SEED:-20260301}
folder=$(mktemp -d)
stack=
finish() {
  if [ -n "$stack" ]; then
    kill -INT "$stack" 2>/dev/null || true
    wait "$stack" 2>/dev/null || true
  fi
  # Root's database lies elsewhere, in a folder that names the state folder it belongs to.
  local mark
  mark=$(grep -lxF "$folder/home" /var/lib/endstop/*/belongs-to 2>/dev/null) && rm -rf "$(dirname "$mark")"
  rm -rf "$folder"
}
export NO_COLOR=1 PYTHONDONTWRITEBYTECODE=1 HYPOTHESIS_STORAGE_DIRECTORY="$folder/hypothesis"
trap finish EXIT
trap 'exit 130' INT TERM

if [ -z "${SCHEMATHESIS:-}" ]; then
  if ! { python3 -m venv "$folder/venv" && "$folder/venv/bin/pip" install --quiet --retries 1 --disable-pip-version-check \
    schemathesis==4.32.5; } >"$folder/pip.log" 2>&1; then
    # A machine that reaches no package index is no fault of the API: not red, and not to be overlooked either.
    {
      echo '######################################################################'
      echo '# schemathesis: NOT RUN. The API was not asked what its description says.'
      echo "# It could not be installed: $(tail -n 1 "$folder/pip.log")"
      echo '# SCHEMATHESIS=<program> names one that is installed already.'
      echo '######################################################################'
    } >&2
    exit 0
  fi
  SCHEMATHESIS="$folder/venv/bin/schemathesis"
fi

# A stack of its own, with whatever ports are free and no bound on requests. It asks for a key, as the description says.
export ENDSTOP_HOME="$folder/home" ENDSTOP_REQUESTS_PER_MINUTE=0 ENDSTOP_LOG_LEVEL=error
unset DATABASE_URL TEMPORAL_ADDRESS ENDSTOP_API_HOST ENDSTOP_API_PORT ANTHROPIC_API_KEY ANTHROPIC_BASE_URL
ENDSTOP_CODEC_KEYS="fuzz:$(head -c 32 /dev/urandom | base64)"
ENDSTOP_API_KEY=$(head -c 24 /dev/urandom | base64)
export ENDSTOP_CODEC_KEYS ENDSTOP_API_KEY
node bin/endstop.mjs up >"$folder/up.log" 2>"$folder/up.err" &
stack=$!
url=
for _ in $(seq 240); do
  url=$(sed -n 's/^API *\(http[^ ]*\).*/\1/p' "$folder/up.log")
  [ -n "$url" ] && break
  kill -0 "$stack" 2>/dev/null || break
  sleep 0.5
done
if [ -z "$url" ]; then
  cat "$folder/up.err" >&2
  echo 'schemathesis: the stack did not come up.' >&2
  exit 1
fi

echo "schemathesis: $url for $seconds s, seed $seed (again: SCHEMATHESIS_SEED=$seed $0 $seconds)"
status=0
here=$PWD/test/schemathesis
(cd "$folder" && SCHEMATHESIS_HOOKS="$here/checks.py" exec "$SCHEMATHESIS" --config-file "$here/schemathesis.toml" \
  run "$url/openapi.json" --header "Authorization: Bearer $ENDSTOP_API_KEY" --max-time "$seconds" --seed "$seed" \
  --request-timeout 30 --continue-on-failure) || status=$?
kill -0 "$stack" 2>/dev/null || { echo 'schemathesis: the stack ended under it.' >&2; status=1; }
exit "$status"
