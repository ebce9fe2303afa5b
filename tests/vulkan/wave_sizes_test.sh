#!/usr/bin/env bash
# wave_sizes_test.sh INDIUM CHIP EXECUTABLES RANDOM_DRAWS COMPUTE PICTURE...: every stage has the size of waves that
# RADEONSI_DEBUG asks for, and random tiles and pictures are the same bytes in both.
set -euo pipefail
indium=$1 chip=$2 executables=$3 random_draws=$4 compute=$5
shift 5
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for size in 32 64; do
   export RADEONSI_DEBUG=wave$size
   run=("$indium" run --gpu "$chip" --)
   "${run[@]}" "$executables" --lanes "$size"
   "${run[@]}" "$random_draws" --seed 2001 --count 25 -o "$dir/tiles.$size"
   "${run[@]}" "$compute" --count 20000
   for picture; do
      "${run[@]}" "$picture" -o "$dir/$(basename "$picture").$size"
   done
done
for made in "$dir"/*.32; do
   cmp "$made" "${made%.32}.64"
done
