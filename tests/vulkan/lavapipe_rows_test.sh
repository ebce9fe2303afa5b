#!/usr/bin/env bash
# lavapipe_rows_test.sh PROGRAM...: what programs expect of the device under test, a foreign one has to do too.
set -euo pipefail
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json)
export VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe NODEVICE_SELECT=1
for program in "$@"; do
   "$program" --quirks lavapipe
done
