#!/usr/bin/env bash
# reference_test.sh INDIUM CHIP PROGRAM [ARGUMENT]...: what the program submits changes the same bytes, counts of
# queries among them, with the model's fast paths, on three threads and on one, and without them (INDIUM_REFERENCE).
set -euo pipefail
indium=$1 chip=$2 program=("${@:3}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
INDIUM_THREADS=3 "$indium" run --gpu "$chip" --record "$dir/recording" -- "${program[@]}"
grep -q '^wrote ' "$dir/recording"
for environment in 'INDIUM_THREADS=1' 'INDIUM_THREADS=1 INDIUM_REFERENCE=1'; do
   echo "-- $environment"
   env $environment "$indium" replay "$dir/recording" >"$dir/replay"
   tail -1 "$dir/replay"
done
