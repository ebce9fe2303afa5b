#!/usr/bin/env bash
# draw_order_test.sh INDIUM CHIP DRIVER DRAW_ORDER: draws that ordered sections and barriers keep in order are right
# under every kind of schedule; without one of them pixels are wrong, under some seed of the first 64.
set -euo pipefail
indium=$1 chip=$2 driver=$3 program=$4
run=("$indium" run --gpu "$chip" --driver "$driver" --schedule)
for schedule in in-order round-robin worst seed=1 seed=2 seed=3; do
   echo "-- $schedule"
   "${run[@]}" "$schedule" -- "$program"
done
for mistake in unordered read write; do
   for ((seed = 1, wrong = 0; seed <= 64 && !wrong; seed++)); do
      output=$("${run[@]}" "seed=$seed" -- "$program" "$mistake" 2>&1) && status=0 || status=$?
      [ $status = 1 ] && grep -q '[1-9][0-9]* wrong pixels$' <<<"$output" && wrong=$seed
   done
   ((wrong)) || { echo "$output"; echo "no seed shows what $mistake leaves out" >&2; exit 1; }
   echo "-- $mistake: seed $wrong"
done
