#!/usr/bin/env bash
# The second command of the README: installs what is missing (Debian 12), builds everything with warnings as errors, runs the
# serial tests under the address and undefined-behaviour sanitizers, then all tests.
set -euo pipefail
cd "$(dirname "$0")/.."
bash src/cmake/debian_packages.sh tests
jobs=$(nproc)
cmake --preset asan >/dev/null
cmake --build --preset asan --target serial_tests
ctest --preset asan --parallel "$jobs" --quiet --output-on-failure
cmake --preset dev >/dev/null
cmake --build --preset dev
exec ctest --preset dev --parallel "$jobs"
