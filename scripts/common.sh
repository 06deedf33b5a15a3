# Shared by the scripts: where the project is, and how missing packages get installed.
# Sourced, not run.

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# What the build needs, and what the tests and the benchmarks need beyond it.
build_packages=(g++ cmake ninja-build libhwy-dev libtomlplusplus-dev nlohmann-json3-dev
                libfmt-dev libxxhash-dev zlib1g-dev libnlopt-dev libxgboost-dev libcurl4-openssl-dev
                libgdal-dev pkg-config libpango1.0-dev pybind11-dev python3-dev)
test_packages=(libgtest-dev librapidcheck-dev libnanoflann-dev python3 python3-pytest python3-mypy
               python3-numpy python3-scipy python3-sklearn python3-joblib python3-pandas
               python3-geopandas python3-pyproj python3-shapely python3-xarray python3-rasterio
               python3-libpysal python3-matplotlib)
further_test_packages=(python3-build python3-setuptools python3-wheel python3-pip python3-venv
                       binutils)
coverage_packages=(gcovr)
bench_packages=(libbenchmark-dev valgrind python3)

# clang with libFuzzer, its sanitizers and what names the lines in their reports.
clang_packages=(clang libclang-rt-dev llvm)

say() { printf '\n== %s\n' "$*" >&2; }

# install_missing PACKAGE...: installs those of the packages that are not there, with sudo unless root.
install_missing() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' ||
      missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  say "installing ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || {
      echo "these packages are missing and neither root nor sudo is at hand: ${missing[*]}" >&2
      exit 5
    }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# build PRESET TESTS [TARGET...]: configures with TESTS (ON or OFF) and builds the targets, or those of
# the preset; as many jobs as there are cores. Where ccache is installed, what was compiled before, in
# any folder, is not compiled again.
build() {
  local preset=$1 tests=$2
  shift 2
  say "building ($preset)"
  if command -v ccache >/dev/null; then
    export CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
    export CCACHE_SLOPPINESS=pch_defines,time_macros  # or precompiled headers are never found again
  fi
  cmake --preset "$preset" -DPEGNN_TESTS="$tests" >/dev/null
  cmake --build --preset "$preset" ${1:+--target "$@"} >&2
}
