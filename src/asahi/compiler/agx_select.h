/* Instruction selection: shared by the agx_select_*.c files. Each component of a nir value becomes a machine value of
 * 16, 32 or 64 bits; booleans are 0 or 1 in 16 bits; 8 bits have 16, of which the upper ones may be anything. */
#ifndef INDIUM_AGX_SELECT_H
#define INDIUM_AGX_SELECT_H

#include "asahi/compiler/agx_builder.h"
#include "asahi/compiler/agx_preamble.h"
#include "compiler/nir/nir.h"

/* What a nir value became. */
struct sel_value {
   struct agx_ref comp[NIR_MAX_COMPONENTS];
   struct agx_ref vec; /* all components one after another, or NONE */
};

struct sel_loop {
   struct agx_block *body;
   struct agx_edges breaks; /* blocks that end in one */
   struct sel_loop *parent;
};

struct sel_phi {
   struct nir_phi_instr *nir;
   struct agx_instr *instr[NIR_MAX_COMPONENTS];
   struct agx_block *block;
   struct sel_phi *next;
};

#define SEL_CONSTANTS 32

struct sel {
   struct agx_ir *ir;
   struct agx_builder b;
   struct nir_shader *nir;
   const struct agx_preamble *preamble; /* NULL: all is computed here */
   const struct agx_options *options;
   struct agx_output *out;
   struct sel_value *values;    /* by nir_def.index */
   struct agx_block **block_of; /* by nir_block.index: where the nir block ends */
   bool dead;                   /* no thread comes here: nothing is selected */
   struct sel_loop *loop;
   struct sel_phi *phis;
   struct {
      const struct agx_block *block;
      unsigned size;
      uint64_t value;
      struct agx_ref ref;
   } constants[SEL_CONSTANTS]; /* made lately */
   unsigned next_constant;
   struct agx_ref vertex_id, instance_id;   /* preloaded */
   struct agx_ref registers[AGX_REGISTERS]; /* likewise, by half: load_register_agx */
   struct agx_ref left[AGX_REGISTERS];      /* by half, what is left there, or NONE */
   struct agx_instr *last_var;              /* the store of vertex outputs that comes last */
   bool waited_for_tests, waited_for_tile;
};

/* ---- values ---- */

unsigned sel_size(const struct nir_def *def); /* bits of a component's machine value */
struct agx_ref sel_imm(struct sel *c, unsigned size, uint64_t value);
struct agx_ref sel_src(struct sel *c, const struct nir_src *src, unsigned component);
struct agx_ref sel_alu_src(struct sel *c, const struct nir_alu_instr *alu, unsigned src, unsigned component);
/* With negations and absolute values in front of it as modifiers. */
struct agx_ref sel_float_src(struct sel *c, const struct nir_alu_instr *alu, unsigned src, unsigned component);
/* All components as one value. */
struct agx_ref sel_vec_src(struct sel *c, const struct nir_src *src);
/* count components from `first` on as one value. */
struct agx_ref sel_slice(struct sel *c, const struct nir_src *src, unsigned first, unsigned count);
void sel_set(struct sel *c, const struct nir_def *def, unsigned component, struct agx_ref ref);
/* All components, from one value (or uniforms). */
void sel_set_vec(struct sel *c, const struct nir_def *def, struct agx_ref vec);
/* A new value that is the same as ref. */
struct agx_ref sel_copy(struct sel *c, struct agx_ref ref);
/* Low half of 32 bits, low word of 64. */
struct agx_ref sel_low(struct sel *c, struct agx_ref ref);
void sel_split64(struct sel *c, struct agx_ref ref, struct agx_ref parts[2]);
struct agx_ref sel_pack64(struct sel *c, struct agx_ref low, struct agx_ref high);
/* Of 16 bits (the low half of more), for indices and masks. */
struct agx_ref sel_as16(struct sel *c, const struct nir_src *src, unsigned component);
/* The arithmetic that makes a value in this program, or NULL. */
struct nir_alu_instr *sel_alu_of(const struct sel *c, const struct nir_def *def);
/* Whether all uses are by one ALU instruction of this kind; returns it. */
struct nir_alu_instr *sel_only_user(const struct nir_def *def, enum nir_op op);

/* ---- conditions ---- */

struct sel_condition {
   struct agx_ref a, b;
   bool is_float;
   uint8_t code; /* enum agx_icond, agx_fcond: 8 inverts */
};

/* Looks through comparisons and negations. */
struct sel_condition sel_condition(struct sel *c, const struct nir_src *src, unsigned component);
struct agx_ref sel_csel(struct sel *c, unsigned size, const struct sel_condition *cond, struct agx_ref yes,
                        struct agx_ref no);
struct agx_ref sel_icsel(struct sel *c, unsigned size, enum agx_icond code, struct agx_ref a, struct agx_ref b,
                         struct agx_ref yes, struct agx_ref no); /* size: the operands of the instruction */

/* ---- by concept: false, nothing was selected ---- */

void sel_alu(struct sel *c, struct nir_alu_instr *alu);
bool sel_alu_int(struct sel *c, struct nir_alu_instr *alu);
bool sel_alu_float(struct sel *c, struct nir_alu_instr *alu);
bool sel_alu_convert(struct sel *c, struct nir_alu_instr *alu);
bool sel_memory(struct sel *c, struct nir_intrinsic_instr *intr);
bool sel_atomic(struct sel *c, struct nir_intrinsic_instr *intr);
bool sel_image(struct sel *c, struct nir_intrinsic_instr *intr);
bool sel_io(struct sel *c, struct nir_intrinsic_instr *intr);
bool sel_sysval(struct sel *c, struct nir_intrinsic_instr *intr);
bool sel_subgroup(struct sel *c, struct nir_intrinsic_instr *intr);
/* By the access that nir says. */
unsigned sel_coherency(const struct nir_intrinsic_instr *intr);
bool sel_barrier(struct sel *c, struct nir_intrinsic_instr *intr);
/* All that the fragment has written has arrived, for younger ones of its pixels. */
void sel_fence_pixels(struct sel *c);
void sel_tex(struct sel *c, struct nir_tex_instr *tex);

void sel_cf_list(struct sel *c, struct list_head *list);
void sel_block(struct sel *c, struct nir_block *block);
void sel_finish_io(struct sel *c);

static inline unsigned
sel_full_mask(unsigned count)
{
   return (1u << count) - 1;
}

#endif
