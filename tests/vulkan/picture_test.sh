#!/usr/bin/env bash
# picture_test.sh INDIUM COMPARE MINIMUM DRIVER PROGRAM NAME [ARGS...]: the program draws on the modelled GPU through
# DRIVER (indium or radv), and on lavapipe; MINIMUM percent of the pixels must agree.
set -euo pipefail
indium=$1 compare=$2 minimum=$3 driver=$4 program=$5 name=$6
shift 6
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json)
VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe NODEVICE_SELECT=1 "$program" -o "$dir/lavapipe.png" "$@"
"$indium" run --gpu navi21 --driver "$driver" -- "$program" -o "$dir/$name.png" "$@"
"$compare" "$dir/$name.png" "$dir/lavapipe.png" "$minimum"
