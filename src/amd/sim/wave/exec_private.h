/* What the handlers of instructions share. */
#ifndef INDIUM_AMD_SIM_EXEC_PRIVATE_H
#define INDIUM_AMD_SIM_EXEC_PRIVATE_H

#include "amd/sim/wave/exec.h"
#include "amd/sim/wave/wave_private.h"

/* GFX9: the wave is in VGPR index mode. */
bool exec_has_index_mode(const struct wave *wave);
/* ds_permute, ds_bpermute: know shared VGPRs too. */
bool exec_is_permute(const struct code *code);
/* DPP: which lane each lane of a half reads, or -1. */
int exec_dpp_source(const struct amd_inst *in, int lane);
/* GFX9: the pattern crosses the rows of the wave, and that function does not know it. */
bool exec_dpp_is_of_wave(const struct amd_inst *in);

/* The value of scalar source i, 64 bits if the operand has two dwords. */
uint64_t exec_scalar(const struct wave *wave, const struct code *code, unsigned i);

/* A 16-bit component that is stored to a format, as a register of 32 bits holds it. */
uint32_t exec_stored_half(uint32_t bits, unsigned format);
/* A component of the format as loads of halves have it: integers clamp (observed: radeonsi's copies to formats of 16
 * bits leave that to the load, and piglit's getteximage-clamping passes on hardware). */
uint32_t exec_loaded_half(uint32_t value, unsigned format);

/* Operands of a vector instruction of words: registers and constants in, a register out. */
struct exec_plain {
   kernel_fn kernel;
   uint32_t src[3];  /* numbers of registers, constants */
   uint8_t dst;      /* VGPR */
   uint8_t kind[3];  /* enum source_kind */
   uint8_t abs, neg; /* bits of sources */
   uint8_t changed;  /* the same: VGPRs of which lanes are not taken as they are */
   bool shuffles;    /* the first source, within eight lanes */
   bool needs_all;   /* lanes, to be that */
};

struct exec_places;

/* What is built twice (sim/wide.h): kernels by operation, and what runs around them. */
struct exec_wide {
   kernel_fn (*kernel)(enum amd_op op);
   enum step (*words)(struct wave *wave, const struct code *code);
   void (*plain)(struct wave_state *state, const struct code *code, const struct exec_plain *operands);
   enum step (*mix)(struct wave *wave, const struct code *code);
   enum step (*interp)(struct wave *wave, const struct code *code);
   enum step (*in_quads)(struct wave *wave, const struct code *code);
   void (*param_load)(struct wave *wave, const struct code *code, uint64_t lanes); /* whole quads */
   /* A load or store of dwords, of all lanes. False, and nothing done: it goes lane by lane. */
   bool (*gather)(struct wave *wave, const struct code *code, const struct exec_places *places);
   bool (*scatter)(struct wave *wave, const struct code *code, const struct exec_places *places);
};
/* The fastest build. */
const struct exec_wide *exec_wide(void);

#define EXEC_WIDE(build)                                                                                             \
   kernel_fn exec_kernel_##build(enum amd_op op);                                                                    \
   enum step exec_words_##build(struct wave *wave, const struct code *code);                                         \
   void exec_plain_##build(struct wave_state *state, const struct code *code, const struct exec_plain *p);           \
   enum step exec_mix_##build(struct wave *wave, const struct code *code);                                           \
   enum step exec_interp_##build(struct wave *wave, const struct code *code);                                        \
   enum step exec_in_quads_##build(struct wave *wave, const struct code *code);                                      \
   void exec_param_load_##build(struct wave *wave, const struct code *code, uint64_t lanes);                         \
   bool exec_gather_##build(struct wave *wave, const struct code *code, const struct exec_places *places);           \
   bool exec_scatter_##build(struct wave *wave, const struct code *code, const struct exec_places *places);
EXEC_WIDE(base)
EXEC_WIDE(avx2)

/* What DPP within rows does, for lanes_move(). */
void exec_moves_bind(struct code *code);
/* Whether exec_wide's words runs the vector instruction; binds what it needs to know of it. */
bool exec_words_bind(struct code *code);
/* The operands of an instruction that is plain. False: some are of other kinds than VGPRs, SGPRs and constants. */
static inline bool
exec_plain_bind(const struct code *c, struct exec_plain *p)
{
   *p = (struct exec_plain){.kernel = c->kernel,
                            .dst = (uint8_t)(c->in.dst - AMD_VGPR0),
                            .abs = c->in.abs,
                            .neg = c->in.neg,
                            .changed = (uint8_t)(c->in.abs | c->in.neg | c->words.shuffles),
                            .shuffles = c->words.shuffles,
                            .needs_all = c->words.shuffles && !c->in.fetch_inactive};
   bool fits = true;
   for (unsigned i = 0; i < c->info->src_count; i++) {
      const struct source *s = &c->src[i];
      p->kind[i] = s->kind;
      p->src[i] = s->kind == SOURCE_CONST ? s->lo : s->kind == SOURCE_VGPR ? s->reg - (uint32_t)AMD_VGPR0 : s->reg;
      fits &= s->kind == SOURCE_CONST || s->kind == SOURCE_VGPR || s->kind == SOURCE_SGPR;
   }
   return fits;
}

/* Kernels of v_div_scale and v_div_fmas, else NULL; carry_in is VCC. */
kernel_fn exec_division(enum amd_op op);

/* Matrix products; false if the model does not have the operation, or what it is asked for. */
bool exec_wmma_bind(struct code *code);

/* Parameters of pixels: whether the attribute is there and M0 says where; else a fault. */
bool exec_check_params(struct wave *wave, const struct code *code);

/* Fits exec_mask to the bits of EXEC. */
static inline void
exec_update_mask(struct wave_state *s, unsigned half)
{
   uint32_t bits = s->sgpr[AMD_EXEC_LO + half];
   if (bits == s->exec_bits[half])
      return;
   s->exec_bits[half] = bits;
   for (int i = 0; i < HALF; i++)
      s->exec_mask[half][i] = bits >> i & 1 ? UINT32_MAX : 0;
}

#endif
