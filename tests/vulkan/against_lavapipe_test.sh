#!/usr/bin/env bash
# against_lavapipe_test.sh INDIUM DRIVER PROGRAM [CHIP [OPTION...]]: what the program writes on lavapipe (-o) it
# has to find again (--against) on the modelled GPU.
set -euo pipefail
indium=$1 driver=$2 program=$3 chip=${4-navi21}
file=$(mktemp)
trap 'rm -f "$file"' EXIT
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json)
VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe NODEVICE_SELECT=1 "$program" "${@:5}" -o "$file"
"$indium" run --gpu "$chip" --driver "$driver" -- "$program" "${@:5}" --against "$file"
