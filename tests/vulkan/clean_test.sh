#!/usr/bin/env bash
# clean_test.sh INDIUM PROGRAM [ARGS...]: the program runs on the modelled GPU under the validation layer, with
# synchronization validation; any message of the layer fails. Checks first that the layer is there and speaks.
# Debian 12's layer, 1.3.239, does not know the structs of newer extensions: such a message is no fault.
set -euo pipefail
indium=$1
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
export VK_INSTANCE_LAYERS=VK_LAYER_KHRONOS_validation
export VK_LAYER_ENABLES=VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT
VK_LOADER_DEBUG=layer "$indium" run --gpu navi21 -- "$@" >"$log" 2>&1 || { cat "$log"; exit 1; }
grep -q 'VK_LAYER_KHRONOS_validation' "$log" || { echo "the validation layer was not loaded"; exit 1; }
newer='pNext chain includes a structure with unknown VkStructureType'
if grep -v "$newer" "$log" | grep -E 'VUID-|SYNC-HAZARD|UNASSIGNED-|Validation (Error|Warning)'; then exit 1; fi
echo "clean"
