#!/usr/bin/env bash
# Packs the benchmarks for a machine that has none of their libraries:
#
#   bench/peers/pack.sh BUILD FOLDER
#
# FOLDER gets pegnn_bench, every shared library it loads, the loader that goes with them, and a launcher
# FOLDER/run, which is what bench/peers/run.py takes as --ours.
set -euo pipefail
if [ $# -ne 2 ] || [ ! -x "$1/pegnn_bench" ]; then
  echo "usage: pack.sh BUILD FOLDER, BUILD being a build folder with pegnn_bench in it (-DPEGNN_BENCH=ON)" >&2
  exit 2
fi
mkdir -p "$2"
install -s "$1/pegnn_bench" "$2/"
# Lines of ldd: NAME => FILE (ADDRESS), or FILE (ADDRESS) for the loader itself.
libraries=$(ldd "$1/pegnn_bench" | grep -oE '/[^ ]+')
loader=
for library in $libraries; do
  install "$library" "$2/"
  case $(basename "$library") in ld-*) loader=$(basename "$library") ;; esac
done
cat >"$2/run" <<LAUNCHER
#!/bin/sh
here=\$(dirname "\$(readlink -f "\$0")")
exec "\$here/$loader" --library-path "\$here" "\$here/pegnn_bench" "\$@"
LAUNCHER
chmod +x "$2/run"
du -sh "$2" >&2
