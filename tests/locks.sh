#!/usr/bin/env bash
# A venue's packages as its documents install them: a new environment, only files whose hashes are in the lock.
# The demo's and the developers' locks were installed by `make` before this, in the same way.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/venv"
# Compiling every module of every package would take a third of the time; the commands below need few of them.
pip=("$folder/venv/bin/python" -I -m pip --disable-pip-version-check install -qq --no-compile)
"${pip[@]}" --require-hashes -r requirements.lock
git ls-files -z -- pyproject.toml setup.py MANIFEST.in '*.md' LICENSE LICENSES NOTICE '*.lock' docs table_core firmware_bridge vision display feltwire supervised \
  | xargs -0 cp --parents -t "$folder"
"${pip[@]}" --no-deps --no-build-isolation "$folder"
cd "$folder"
venv/bin/python -I -m pip check
for command in home table station clock relay provision verify; do
  venv/bin/feltwire "$command" --help >/dev/null
done
if venv/bin/python -I -c 'import amqtt' 2>/dev/null; then
  echo "the demo's broker reaches a venue's machines" >&2
  exit 1
fi
