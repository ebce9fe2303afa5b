#!/usr/bin/env bash
# fault_hash_test.sh INDIUM DEVICE_LOST SHADER: reports of GPU faults name the shader by the hash that the driver
# prints with its code (INDIUM_DEBUG=asm) and `indium shader` among its statistics; DEVICE_LOST runs SHADER.
set -euo pipefail
indium=$1 device_lost=$2 shader=$3
errors=$(mktemp)
trap 'rm -f "$errors"' EXIT
hash=$("$indium" shader "$shader" --print stats | sed -n 's/^hash //p')
[[ $hash =~ ^[0-9a-f]{16}$ ]] || { echo "indium shader prints no hash: $hash" >&2; exit 1; }
INDIUM_DEBUG=asm "$indium" run -- "$device_lost" 2>"$errors" >/dev/null
printed=$(grep -c "^compute shader .*, hash $hash:\$" "$errors")
named=$(grep -c "GPU fault: .* \[CS, .*; shader $hash at 0x[0-9a-f]*; packet DISPATCH_DIRECT at dword " "$errors")
others=$(grep 'GPU fault: .* \[CS, ' "$errors" | grep -vc "; shader $hash at ") || true
# One case has an instruction changed in memory.
echo "$printed programs, $named reports of their hash, $others of another"
((printed >= 4 && named == 3 && others == 1))
