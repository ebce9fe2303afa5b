#!/usr/bin/env bash
# parts_test.sh INDIUM CHIP PROGRAM FIRST COUNT: random tiles (random_tile.h) on the modelled CHIP by whole pipelines,
# and by the same ones linked from four libraries of a part each: they must agree, but for rounding.
set -euo pipefail
indium=$1 chip=$2 program=$3 first=$4 count=$5
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
seeds=(--seed "$first" --count "$count")
"$indium" run --gpu "$chip" -- "$program" "${seeds[@]}" -o "$dir/whole"
VKT_PARTS=1 "$indium" run --gpu "$chip" -- "$program" "${seeds[@]}" --against "$dir/whole" --same
