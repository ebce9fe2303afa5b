/* Packets as text, that can be read back:
 *
 *   DISPATCH_DIRECT/SHADER_TYPE 0x10 0x1 0x1 COMPUTE_SHADER_EN=0x1,FORCE_START_AT_000=0x1
 *   SET_SH_REG
 *      COMPUTE_PGM_LO 0x101
 *      COMPUTE_PGM_HI 0x0
 *   pad 12
 *   dwords c0001200 00000000*4
 *
 * A payload dword is a number or fields, "FIELD=VALUE,..." by numbers or names of values; "VALUE*COUNT" stands for
 * equal ones, and a line that begins with none of the words above continues with the payload. Registers follow each
 * other; one without a name is the offset in bytes. `pad` are NOPs of one dword, and `dwords` what is no packet of
 * the tables, in hexadecimal digits. */
#ifndef INDIUM_AMD_DRM_SHIM_PACKET_TEXT_H
#define INDIUM_AMD_DRM_SHIM_PACKET_TEXT_H

#include <stdio.h>

#include "amd/hw/reg_table.h"
#include "sim/record/recording.h"

/* Of a block "packets MEMORY OFFSET [COUNT]" (sim/record/recording.h). */
bool amd_packet_parse(const struct sim_recording *recording, struct sim_record *block,
                      struct sim_record_error *error);

/* Indented lines, which give the same dwords when they are read for this generation. */
void amd_packet_print(FILE *out, enum amd_gen gen, const uint32_t *dwords, uint32_t count);

#endif
