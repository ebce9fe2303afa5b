/* Code of shaders as text, that can be read back: the assembly of amd_isa_print(), labels ("L12:", and L12 as the
 * operand of a branch), and ".long WORD..." for words that assembly does not give back as they are. */
#ifndef INDIUM_AMD_DRM_SHIM_CODE_TEXT_H
#define INDIUM_AMD_DRM_SHIM_CODE_TEXT_H

#include <stdio.h>

#include "amd/hw/gen.h"
#include "sim/record/recording.h"

/* Of blocks "code32 MEMORY OFFSET [COUNT]" and code64, for waves of so many lanes. */
bool amd_code_parse_32(const struct sim_recording *recording, struct sim_record *block,
                       struct sim_record_error *error);
bool amd_code_parse_64(const struct sim_recording *recording, struct sim_record *block,
                       struct sim_record_error *error);

/* Indented lines, which give the same words when they are read. */
void amd_code_print(FILE *out, enum amd_gen gen, bool wave64, const uint32_t *words, uint32_t count);

#endif
