#!/usr/bin/env bash
# oit_test.sh INDIUM CHIP OIT ARGS...: examples/oit with ARGS is exact under every kind of schedule; the same without
# interlock, under a seed, is not, so the schedules do put ordering to the test.
set -euo pipefail
indium=$1 chip=$2 oit=$3
shift 3
run=("$indium" run --gpu "$chip" --driver indium --schedule)
args=(--check --width 320 --height 180 --triangles 1500 "$@")
for schedule in in-order round-robin worst seed=1 seed=2; do
   echo "-- $schedule"
   "${run[@]}" "$schedule" -- "$oit" "${args[@]}"
done
echo "-- seed=1, without interlock"
output=$("${run[@]}" seed=1 -- "$oit" "${args[@]}" --unordered) && status=0 || status=$?
echo "$output"
[ $status = 1 ] && grep -q '^[1-9][0-9]* wrong pixels$' <<<"$output" ||
   { echo "without interlock the pixels should be wrong, and nothing else" >&2; exit 1; }
