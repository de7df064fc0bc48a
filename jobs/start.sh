#!/usr/bin/env bash
# The first command of the README: installs what is missing (Debian 12), builds rondo, and fits the theophylline ensemble on
# 2 ranks. Arguments go to `rondo train`.
set -euo pipefail
cd "$(dirname "$0")/.."
bash src/cmake/debian_packages.sh
[ -f build/release/build.ninja ] || cmake --preset release >/dev/null
cmake --build --preset release
if [ "$(id -u)" -eq 0 ]; then # Open MPI asks root to say so twice
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
fi
exec mpirun -n 2 --oversubscribe build/release/rondo train jobs/theophylline.toml --output build/theophylline.run --overwrite "$@"
