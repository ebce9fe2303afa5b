#!/usr/bin/env bash
# picture_test.sh INDIUM CHIP COMPARE MINIMUM DRIVER PROGRAM [ARGS...]: the program draws on the modelled CHIP
# through DRIVER (indium or radv), and on lavapipe; MINIMUM percent of the pixels must agree.
set -euo pipefail
indium=$1 chip=$2 compare=$3 minimum=$4 driver=$5 program=$6
shift 6
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json)
VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe NODEVICE_SELECT=1 "$program" -o "$dir/lavapipe.png" "$@"
"$indium" run --gpu "$chip" --driver "$driver" -- "$program" -o "$dir/modelled.png" "$@"
"$compare" "$dir/modelled.png" "$dir/lavapipe.png" "$minimum"
