#!/usr/bin/env bash
# pipelines_test.sh INDIUM CHIP RANDOM_DRAWS PICTURE...: vertices run in the pipeline that RADEONSI_DEBUG asks for,
# and random tiles and pictures are the same bytes in both, under another order of waves too.
set -euo pipefail
indium=$1 chip=$2 random_draws=$3
shift 3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for stage in ES VS; do
   [ $stage = ES ] || export RADEONSI_DEBUG=nongg
   run=("$indium" run --gpu "$chip" --report="$dir/report" --)
   "${run[@]}" "$random_draws" --seed 3001 --count 25 -o "$dir/tiles.$stage"
   for picture; do
      "${run[@]}" "$picture" -o "$dir/$(basename "$picture").$stage"
      stages=$(grep -o 'SPI_SHADER_PGM_LO_[EV]S' "$dir/report" | sort -u)
      [ "$stages" = SPI_SHADER_PGM_LO_$stage ] || { echo "$picture: $stages instead of $stage" >&2; exit 1; }
   done
   "$indium" run --gpu "$chip" --schedule seed=3 -- "$1" -o "$dir/seed.$stage"
done
for made in "$dir"/*.ES; do
   cmp "$made" "${made%.ES}.VS"
done
