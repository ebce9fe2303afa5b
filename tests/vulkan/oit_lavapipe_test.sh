#!/usr/bin/env bash
# oit_lavapipe_test.sh OIT: lavapipe draws the triangles of a tile one after the other, so even without interlock it
# must leave what examples/oit computes on the CPU: a foreign witness of that reference, of its coverage above all.
set -euo pipefail
lavapipe=$(ls /usr/share/vulkan/icd.d/lvp_icd*.json)
export VK_DRIVER_FILES=$lavapipe VK_ICD_FILENAMES=$lavapipe NODEVICE_SELECT=1
for samples in 1 4; do
   for mode in "" --kbuffer; do
      "$1" --unordered --check --samples $samples --width 640 --height 360 --triangles 5000 $mode
   done
done
