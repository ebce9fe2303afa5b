#!/usr/bin/env bash
# random_test.sh INDIUM PROGRAM FIRST COUNT: the program makes random tiles (random_tile.h) on lavapipe and, on the
# modelled GPU, through RADV and Indium; all must agree. Where Vulkan leaves the result to the device, only RADV and
# Indium are compared.
set -euo pipefail
indium=$1 program=$2 first=$3 count=$4
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json)
seeds=(--seed "$first" --count "$count")
VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe NODEVICE_SELECT=1 "$program" "${seeds[@]}" -o "$dir/lavapipe"
"$indium" run --gpu navi21 --driver radv -- "$program" "${seeds[@]}" -o "$dir/radv"
"$indium" run --gpu navi21 --driver indium -- "$program" "${seeds[@]}" --against "$dir/lavapipe"
"$indium" run --gpu navi21 --driver indium -- "$program" "${seeds[@]}" --against "$dir/radv" --same
