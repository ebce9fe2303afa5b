#!/usr/bin/env bash
# against_lavapipe_test.sh INDIUM DRIVER PROGRAM: what the program writes on lavapipe (-o) it has to find again
# (--against) on the modelled GPU.
set -euo pipefail
indium=$1 driver=$2 program=$3
file=$(mktemp)
trap 'rm -f "$file"' EXIT
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json)
VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe NODEVICE_SELECT=1 "$program" -o "$file"
"$indium" run --gpu navi21 --driver "$driver" -- "$program" --against "$file"
