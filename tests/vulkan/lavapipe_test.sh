#!/usr/bin/env bash
# lavapipe_test.sh OIT MSAA: a foreign witness of what both programs compute on the CPU, of coverage above all.
# lavapipe draws the triangles of a tile one after the other, so even without interlock oit must be right there.
set -euo pipefail
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json)
export VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe NODEVICE_SELECT=1
"$2" --samples 4
for samples in 1 4; do
   for mode in "" --kbuffer --textured; do
      "$1" --unordered --check --samples $samples --width 640 --height 360 --triangles 5000 $mode
   done
done
