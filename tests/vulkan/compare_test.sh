#!/usr/bin/env bash
# compare_test.sh INDIUM CHIP COMPARE MINIMUM DRIVER PROGRAM [ARGS...]: the program draws on the modelled CHIP through
# Indium's driver and through DRIVER; MINIMUM percent of the pixels must agree. Status 77 without DRIVER.
set -euo pipefail
indium=$1 chip=$2 compare=$3 minimum=$4 driver=$5 program=$6
shift 6
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$indium" run --gpu "$chip" --driver "$driver" -- "$program" -o "$dir/theirs.png" "$@"
"$indium" run --gpu "$chip" -- "$program" -o "$dir/ours.png" "$@"
"$compare" "$dir/ours.png" "$dir/theirs.png" "$minimum"
