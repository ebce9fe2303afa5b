#!/usr/bin/env bash
# oit_radv_test.sh INDIUM OIT: a device without fragment shader interlock gets one clear line.
set -euo pipefail
if output=$("$1" run --gpu navi21 --driver radv -- "$2" 2>&1); then
   echo "oit ran without the extension: $output" >&2
   exit 1
fi
grep -q "^AMD Radeon.* does not have VK_EXT_fragment_shader_interlock$" <<<"$output"
grep -q "^indium run: navi21 got no submits" <<<"$output"
[ "$(wc -l <<<"$output")" -eq 3 ] # the device's name, and these two
