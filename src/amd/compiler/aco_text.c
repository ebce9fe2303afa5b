#include "amd/compiler/aco_text.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct aco_pseudo_row aco_pseudo_rows[ACO_P_END - ACO_P_FIRST] = {
   [ACO_P_STARTPGM - ACO_P_FIRST] = {"p_startpgm", 0, -1},
   [ACO_P_PHI - ACO_P_FIRST] = {"p_phi", -1, 1},
   [ACO_P_LINEAR_PHI - ACO_P_FIRST] = {"p_linear_phi", -1, 1},
   [ACO_P_PARALLELCOPY - ACO_P_FIRST] = {"p_parallelcopy", -1, -1},
   [ACO_P_CREATE_VECTOR - ACO_P_FIRST] = {"p_create_vector", -1, 1},
   [ACO_P_SPLIT_VECTOR - ACO_P_FIRST] = {"p_split_vector", 1, -1},
   [ACO_P_LOGICAL_END - ACO_P_FIRST] = {"p_logical_end", 0, 0},
   [ACO_P_SPILL_S - ACO_P_FIRST] = {"p_spill_s", 1, 0},
   [ACO_P_RELOAD_S - ACO_P_FIRST] = {"p_reload_s", 0, 1},
   [ACO_P_SPILL_V - ACO_P_FIRST] = {"p_spill_v", 3, 0},
   [ACO_P_RELOAD_V - ACO_P_FIRST] = {"p_reload_v", 2, 1},
   [ACO_P_DATA_ADDRESS - ACO_P_FIRST] = {"p_data_address", 0, 1},
   [ACO_P_AWAIT_WAVES - ACO_P_FIRST] = {"p_await_waves", 1, 1},
};

static const char *const terms[] = {[ACO_TERM_END] = "end",
                                    [ACO_TERM_JUMP] = "jump",
                                    [ACO_TERM_SCC0] = "scc0",
                                    [ACO_TERM_SCC1] = "scc1",
                                    [ACO_TERM_EXECZ] = "execz"};
const struct nir_words aco_term_words = {terms, ARRAY_SIZE(terms)};

const char *
aco_op_name(unsigned op)
{
   return op >= ACO_P_FIRST ? aco_pseudo_rows[op - ACO_P_FIRST].name : amd_isa_op_name((enum amd_op)op);
}

unsigned
aco_op_by_name(const char *name)
{
   for (unsigned i = 0; i < ARRAY_SIZE(aco_pseudo_rows); i++) {
      if (!strcmp(aco_pseudo_rows[i].name, name))
         return ACO_P_FIRST + i;
   }
   return amd_isa_op_by_name(name);
}

#define FIELD(type, name, is_bool, is_hex, max, absent)                                                              \
   {#name, offsetof(type, name), sizeof(((type *)0)->name), is_bool, is_hex, max, absent}
#define FLAG(name) FIELD(struct aco_instr, name, true, false, 1, 0)
#define BITS(name, max) FIELD(struct aco_instr, name, false, true, max, 0)
#define NUMBER(name, max) FIELD(struct aco_instr, name, false, false, max, 0)

/* clang-format off */
const struct aco_text_field aco_instr_fields[] = {
   BITS(neg, UINT8_MAX), BITS(abs, UINT8_MAX), BITS(opsel, UINT8_MAX), BITS(neg_hi, UINT8_MAX),
   BITS(opsel_hi, UINT8_MAX), NUMBER(omod, 3), FLAG(clamp), FLAG(vop3p), FLAG(dpp), FLAG(bound_ctrl),
   FLAG(fetch_inactive),
   FIELD(struct aco_instr, row_mask, false, true, 0xf, 0xf),
   FIELD(struct aco_instr, bank_mask, false, true, 0xf, 0xf), BITS(dpp_ctrl, UINT16_MAX),
   NUMBER(offset, UINT32_MAX), BITS(simm16, UINT16_MAX), FLAG(offen), FLAG(idxen), FLAG(glc), FLAG(dlc), FLAG(slc),
   FLAG(gds),   FLAG(unrm), FLAG(d16), FLAG(tfe), BITS(dmask, 0xf), NUMBER(dim, 7), NUMBER(attr, 63), NUMBER(chan, 3),
   NUMBER(exp_target, 63), BITS(exp_en, 0xf), FLAG(exp_done), FLAG(exp_vm), FLAG(exp_compr), FLAG(exp_row),
   FLAG(tied),
   FLAG(to_data), FLAG(uses_scc), FLAG(side_effects), FLAG(exact), FLAG(reorder), FLAG(drops_helpers),
   FLAG(preserves_lanes)
};
/* clang-format on */
const unsigned aco_instr_field_count = ARRAY_SIZE(aco_instr_fields);

#define PROGRAM(name, max) {ACO_HEADER_PROGRAM, FIELD(struct aco_program, name, false, false, max, 0)}
#define PROGRAM_FLAG(name) {ACO_HEADER_PROGRAM, FIELD(struct aco_program, name, true, false, 1, 0)}
#define ARG(name) {ACO_HEADER_ARGS, FIELD(struct aco_args, name, false, false, UINT8_MAX, ACO_NO_REG)}
#define MAX_TEMPS (1 << 20)
#define MAX_MEMORY_B (1 << 20)

const struct aco_header_field aco_header_fields[] = {
   PROGRAM(wave_size, 64),
   PROGRAM(max_sgprs, AMD_VCC_LO),
   PROGRAM(max_vgprs, 256),
   PROGRAM(num_temps, MAX_TEMPS),
   PROGRAM_FLAG(preserves_lanes),
   PROGRAM_FLAG(allocated),
   PROGRAM(used_sgprs, AMD_VCC_LO),
   PROGRAM(used_vgprs, 256),
   PROGRAM(lds_B, MAX_MEMORY_B),
   PROGRAM(scratch_B, MAX_MEMORY_B),
   PROGRAM(scratch_offset_temp, MAX_TEMPS),
   PROGRAM(spill_s_slots, MAX_TEMPS),
   PROGRAM(spill_v_slots, MAX_TEMPS),
   PROGRAM(spill_first_vgpr, 256),
   {ACO_HEADER_ARGS, FIELD(struct aco_args, num_user_sgprs, false, false, UINT8_MAX, 0)},
   PROGRAM(first_user_sgpr, AMD_VCC_LO),
   ARG(scratch_address),
   {ACO_HEADER_OPTIONS, FIELD(struct aco_options, float_mode, false, true, UINT8_MAX, 0)},
   {ACO_HEADER_OPTIONS, FIELD(struct aco_options, no_optimise, true, false, 1, 0)},
};
const unsigned aco_header_field_count = ARRAY_SIZE(aco_header_fields);

static const struct {
   const char *name;
   uint16_t reg;
} special[] = {
   {"vcc", AMD_VCC_LO}, {"vcc_hi", AMD_VCC_HI}, {"m0", AMD_M0},
   {"null", AMD_NULL},  {"exec", AMD_EXEC_LO},  {"exec_hi", AMD_EXEC_HI},
};

void
aco_reg_name(uint16_t reg, char name[ACO_REG_NAME_B])
{
   for (unsigned i = 0; i < ARRAY_SIZE(special); i++) {
      if (special[i].reg == reg) {
         snprintf(name, ACO_REG_NAME_B, "%s", special[i].name);
         return;
      }
   }
   bool vector = amd_is_vgpr(reg);
   snprintf(name, ACO_REG_NAME_B, "%c%u",
            vector             ? 'v'
            : reg < AMD_VCC_LO ? 's'
                               : 'r',
            vector ? reg - AMD_VGPR0 : reg);
}

int
aco_reg_by_name(const char *name, size_t length)
{
   for (unsigned i = 0; i < ARRAY_SIZE(special); i++) {
      if (strlen(special[i].name) == length && !memcmp(special[i].name, name, length))
         return special[i].reg;
   }
   unsigned number = 0, limit = *name == 'v' ? 256 : *name == 's' ? AMD_VCC_LO : *name == 'r' ? ACO_TEXT_REGS : 0;
   for (size_t i = 1; i < length; i++) {
      if (name[i] < '0' || name[i] > '9' || number >= limit)
         return -1;
      number = number * 10 + (unsigned)(name[i] - '0');
   }
   return length > 1 && number < limit ? (int)(*name == 'v' ? AMD_VGPR0 + number : number) : -1;
}
