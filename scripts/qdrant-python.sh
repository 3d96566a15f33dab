#!/usr/bin/env bash
# Makes the Python environment of the bridge to Qdrant's engine, which test/adapters/qdrant uses. Needs Python 3.10 or newer.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
place=node_modules/.cache/qdrant-python
"${PYTHON:-python3}" -m venv "$place"
"$place/bin/pip" install --quiet --disable-pip-version-check qdrant-edge-py==0.9.0 qdrant-client==1.20.0
