#!/bin/sh
# Makes the secrets that docker-compose.yml mounts, in ./secrets: those that are there stay as they are.
#   ANTHROPIC_API_KEY=... deploy/secrets.sh [folder]
set -eu
folder="${1:-secrets}"
mkdir -p "$folder"
# The folder is closed; the files in it are read by other users inside the containers.
chmod 700 "$folder"
keep() {
  if [ ! -s "$folder/$1" ]; then
    cat > "$folder/$1"
    chmod 644 "$folder/$1"
    echo "made $folder/$1"
  else
    cat > /dev/null
  fi
}
if [ ! -s "$folder/anthropic_api_key" ] && [ -z "${ANTHROPIC_API_KEY:-}" ]; then
  echo "Set ANTHROPIC_API_KEY, so that it can be put into $folder/anthropic_api_key." >&2
  exit 2
fi
printf '%s' "${ANTHROPIC_API_KEY:-}" | keep anthropic_api_key
openssl rand -hex 24 | tr -d '\n' | keep postgres_password
printf 'postgres://endstop:%s@postgres:5432/endstop' "$(cat "$folder/postgres_password")" | keep database_url
openssl rand -hex 24 | tr -d '\n' | keep endstop_api_key
printf 'first:%s' "$(openssl rand -base64 32 | tr -d '\n')" | keep codec_keys
