#!/usr/bin/env bash
# random_test.sh INDIUM CHIP PROGRAM FIRST COUNT [--pairs]: the program makes random tiles (random_tile.h) on lavapipe
# and, on the modelled CHIP, through RADV and Indium; all must agree. Where Vulkan leaves the result to the device,
# only RADV and Indium are compared. Of chips that RADV does not drive (m...) only Indium. --pairs: Indium's run must
# have all pairs of choices.
set -euo pipefail
indium=$1 chip=$2 program=$3 first=$4 count=$5 pairs=("${@:6}")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json)
seeds=(--seed "$first" --count "$count")
VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe NODEVICE_SELECT=1 "$program" "${seeds[@]}" -o "$dir/lavapipe"
"$indium" run --gpu "$chip" --driver indium -- "$program" "${seeds[@]}" --against "$dir/lavapipe" "${pairs[@]}"
[[ $chip != m* ]] || exit 0
"$indium" run --gpu "$chip" --driver radv --plain=shading -- "$program" "${seeds[@]}" -o "$dir/radv"
"$indium" run --gpu "$chip" --driver indium -- "$program" "${seeds[@]}" --against "$dir/radv" --same
