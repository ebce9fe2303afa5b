#!/usr/bin/env bash
# picture_test.sh INDIUM COMPARE DRIVER PROGRAM NAME [ARGS...]: the program draws on the modelled GPU through DRIVER
# (indium or radv), and on lavapipe; the pictures must agree.
set -euo pipefail
indium=$1 compare=$2 driver=$3 program=$4 name=$5
shift 5
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json)
VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe NODEVICE_SELECT=1 "$program" -o "$dir/lavapipe.png" "$@"
"$indium" run --gpu navi21 --driver "$driver" -- "$program" -o "$dir/$name.png" "$@"
"$compare" "$dir/$name.png" "$dir/lavapipe.png"
