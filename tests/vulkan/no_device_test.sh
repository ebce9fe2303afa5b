#!/usr/bin/env bash
# no_device_test.sh MANIFEST: without the shim and without hardware the driver reports no device, and says nothing.
set -uo pipefail
command -v vulkaninfo >/dev/null || { echo "vulkaninfo is missing"; exit 1; }
ls /dev/dri/renderD* >/dev/null 2>&1 && { echo "this machine has a GPU"; exit 77; }
output=$(VK_DRIVER_FILES=$1 VK_ICD_FILENAMES=$1 NODEVICE_SELECT=1 vulkaninfo --summary 2>&1)
if grep -qi 'indium:\|segmentation' <<<"$output" || grep -q '^GPU[0-9]' <<<"$output"; then
   echo "$output"
   exit 1
fi
echo "no device, quietly"
