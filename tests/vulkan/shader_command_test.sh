#!/usr/bin/env bash
# shader_command_test.sh INDIUM EXECUTABLES SHADERS: `indium shader` prints the code that the driver runs, as the
# driver itself tells it by VK_KHR_pipeline_executable_properties.
set -euo pipefail
indium=$1 executables=$2 shaders=$3
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
for name in quad.vert quad.frag executables.comp; do
   "$indium" run --gpu navi21 -- "$executables" "${name#*.}" | grep -P '^\t' >"$dir/runs"
   "$indium" shader "$shaders/$name" --print asm >"$dir/printed"
   lines=$(wc -l <"$dir/printed")
   head -n "$lines" "$dir/runs" | diff - "$dir/printed" # a compute pipeline comes twice
   echo "$name: $lines instructions"
done
for wave in 32 64; do # as many as the pipeline asks for hold a matrix
   "$indium" shader "${executables%/*}/cooperative.spv" --gpu navi31 --wave "$wave" --print asm | grep v_wmma_f32
done
