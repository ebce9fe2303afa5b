#!/usr/bin/env bash
# unsupported_test.sh INDIUM PROGRAM CHIP...: on a chip that our driver does not have it says so in one line, and the
# program finds no device and ends with status 1.
set -uo pipefail
indium=$1 program=$2 failed=0
shift 2
for chip in "$@"; do
   output=$(timeout 60 "$indium" run --driver indium --gpu "$chip" -- "$program" 2>&1)
   status=$?
   lines=$(grep -c '^indium: this AMD GPU (family [0-9]*, revision [0-9]*) is not supported$' <<<"$output")
   if [ "$status" != 1 ] || [ "$lines" != 1 ] || [ "$(grep -c ^indium: <<<"$output")" != 1 ]; then
      echo "$chip: status $status: $output"
      failed=1
   fi
done
exit $failed
