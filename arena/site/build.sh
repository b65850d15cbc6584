#!/usr/bin/env bash
# Builds the documentation: target/site/html/index.html. Needs Python 3.11 or newer. A broken link
# to a page or a heading is an error.
set -euo pipefail
cd "$(dirname "$0")/../.."

python=target/site/python/bin/python
if ! cmp --silent arena/site/requirements.txt target/site/requirements.txt; then
  python3 -m venv target/site/python
  "$python" -m pip install --quiet --disable-pip-version-check -r arena/site/requirements.txt
  cp arena/site/requirements.txt target/site/requirements.txt
fi
# Build all pages every time: an unchanged page may contain a link to a page that has been removed.
"$python" -m sphinx --quiet --write-all --fresh-env --fail-on-warning --keep-going \
  --conf-dir arena/site --doctree-dir target/site/doctrees . target/site/html
echo "target/site/html/index.html"
