#!/usr/bin/env bash
# Installs what is missing to build rondo on Debian 12, and with the argument `tests` also what its tests use.
# Works as root, or with sudo. Asks nothing.
set -euo pipefail
packages=(g++ cmake ninja-build git ca-certificates libopenmpi-dev openmpi-bin libsundials-dev libhdf5-dev libeigen3-dev
          libspdlog-dev libfmt-dev libtomlplusplus-dev libcli11-dev)
if [ "${1:-}" = tests ]; then
    packages+=(libgtest-dev libgmock-dev nlohmann-json3-dev hdf5-tools python3 python3-numpy python3-h5py python3-h5netcdf
               python3-xarray slurmctld slurmd slurm-client munge iproute2 procps)
fi
missing=()
for package in "${packages[@]}"; do
    dpkg-query --show --showformat='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0
echo "installing: ${missing[*]}"
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)
"${as_root[@]}" apt-get update --quiet=2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --quiet=2 --yes --no-install-recommends "${missing[@]}" >/dev/null
