#!/bin/sh
# Reads secrets from files: DOCFUSE_TOKEN_FILE=/run/secrets/token sets DOCFUSE_TOKEN. So do names that end in _KEY_FILE and _PASSWORD_FILE.
set -eu
for name in $(env | sed -nE 's/^([A-Z0-9_]*(TOKEN|KEY|PASSWORD))_FILE=.*/\1/p'); do
  eval "file=\$${name}_FILE"
  secret=$(cat "$file")
  export "$name=$secret"
done
exec "$@"
