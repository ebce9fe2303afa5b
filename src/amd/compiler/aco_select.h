/* Instruction selection: shared by the aco_select_*.c files. Uniform nir values become scalar values where the scalar
 * unit can compute them, divergent ones vector values; a uniform value may also sit in a VGPR. Booleans: a uniform
 * one is an SGPR with 0 or 1, a divergent one a lane mask (bits of inactive lanes are undefined). */
#ifndef INDIUM_ACO_SELECT_H
#define INDIUM_ACO_SELECT_H

#include "amd/compiler/aco_ir.h"
#include "compiler/nir/nir.h"

#define ISEL_MAX_OUTPUTS (NIR_SLOT_COUNT * 2)
#define ISEL_MAX_ADDRESSES 16 /* dwords of an image instruction's address, the longest of vectors */

/* What a nir value became. */
struct isel_value {
   struct aco_operand comp[NIR_MAX_COMPONENTS]; /* NONE: not yet split from vec */
   struct aco_operand packed[2]; /* 16 bits: VGPRs with components 0 and 1, 2 and 3 (aco_select_packed.c), or NONE */
   uint32_t vec;                 /* temp of all components one after another, 0 if there is none */
   struct aco_operand outside[NIR_MAX_COMPONENTS]; /* per-lane copy for uses outside of `scope`, or NONE */
   const struct nir_cf_node *scope; /* the loop or if in which lanes diverge, if there are uses outside */
};

/* Lane masks that control flow changes. Operands are lane masks, constants, or NONE; a list of nothing else. */
struct isel_masks {
   struct aco_operand exact; /* lanes that are no helpers (superset of those active); NONE: all of EXEC */
   struct aco_operand alive; /* lanes that did not end for good (isel_ends_lanes); NONE: none does */
   struct {
      struct aco_operand live;      /* not left the loop */
      struct aco_operand iterating; /* nor finished this iteration */
   } loops[];                       /* masked_depth of them */
};

/* A linear edge into a block to come. */
struct isel_pending {
   struct aco_block *from;
   struct isel_masks *masks;
   struct isel_pending *next;
};

/* The construct whose end lanes run to when none is active any more. */
struct isel_region {
   struct isel_pending *skips;
};

struct isel_loop {
   struct nir_loop *nir;
   bool masked;   /* lanes leave separately */
   unsigned slot; /* in isel_masks.loops */
   struct aco_block *header;
   struct isel_pending *breaks, *continues; /* uniform: both kinds of edges */
   struct aco_edges logical_breaks, logical_continues;
   struct isel_loop *parent;
};

struct isel_pending_phi {
   struct nir_phi_instr *nir;
   struct aco_instr *instr[NIR_MAX_COMPONENTS];
   struct aco_block *block;
   bool is_bool; /* vector phi of 0 or 1 */
   struct isel_pending_phi *next;
};

/* The PS input that is I/W, J/W and 1/W; the other ones of c->barycentric are I and J. */
enum { ISEL_PULL_MODEL = 3 };

struct isel {
   struct aco_program *program;
   struct nir_shader *nir;
   const struct aco_options *options;
   const struct aco_args *args;
   struct aco_output *out;
   struct aco_block *block;
   bool dead;                   /* no wave comes here: there is no current block */
   bool no_lane;                /* no lane comes here, though the wave may: nothing is selected */
   struct isel_value *values;   /* by nir_def.index */
   struct aco_block **block_of; /* by nir_block.index: where the nir block ends */
   struct isel_masks *masks;
   struct isel_loop *loop;
   const struct nir_cf_node *place; /* what stands around the code that is selected, NULL: nothing */
   const struct nir_cf_node *scope; /* the innermost loop or if around in which lanes diverge, or NULL */
   struct isel_region *region;
   bool left_section;           /* the exit of an ordered section was selected */
   struct isel_pending *unleft; /* skips of the top region from places before the exit of an ordered section */
   struct isel_pending_phi *phis;
   struct aco_block *phi_block; /* where phis of the next nir block go, if not into the current block */
   bool phis_open;              /* phis were begun that finish_phi() has not seen */
   bool uniform_join;           /* the linear edges into the current block are its logical edges */
   unsigned loop_depth, masked_depth;
   unsigned divergence_depth; /* constructs around in which some lanes of the wave may be elsewhere */
   bool wqm;                  /* fragment: helper lanes run along */

   /* arguments: temps, 0 if they do not arrive */
   uint32_t user_sgpr[64]; /* single dwords s0.. */
   uint32_t user_vec[64];  /* two or four dwords from there that are read together */
   uint32_t workgroup_id[3], prim_mask, collision_waveid, intrawave_collision, first_vertices, scratch_offset;
   uint32_t local_id[3], vertex_id, instance_id, primitive_id;
   uint32_t barycentric[7][3]; /* by PS input 0 to 6 */
   uint32_t frag_pos[4], front_face, ancillary, coverage;
   uint32_t vector_arg[24];
   uint32_t system_sgpr[8]; /* of stages that may be merged, ahead of the user's */
   struct {
      uint32_t primitive;                      /* as PRIM exports take it */
      struct aco_block *head;                  /* from which lanes without vertices go to the end */
      struct aco_operand vertices, primitives; /* of mesh shaders: how many */
   } ngg;
   struct aco_operand scratch_desc; /* V#, NONE if there is none */
   struct aco_operand data_desc;    /* V# of the constants after the code, made in ... */
   const struct aco_block *data_block;
   struct {
      const struct aco_block *block;
      uint32_t lo, hi;
      struct aco_operand whole;
   } textures[4]; /* T# put together lately */
   unsigned next_texture;

   /* outputs, collected for the end of the shader */
   struct {
      struct aco_operand comp[4];
      uint8_t mask;
      enum nir_base_type type;
      uint8_t bit_size;
   } outputs[ISEL_MAX_OUTPUTS];
   uint8_t input_of_slot[NIR_SLOT_COUNT];
};

/* ---- emission into the current block ---- */

struct aco_instr *isel_emit(struct isel *c, unsigned op, unsigned num_defs, unsigned num_ops);
/* One result of class rc. */
struct aco_operand isel_op1(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a);
struct aco_operand isel_op2(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a, struct aco_operand b);
/* Vector arithmetic with any mix of constants, SGPRs and VGPRs: copies what the constant bus cannot carry. rc is the
 * class of the result (a lane mask for comparisons). The instruction is returned for modifiers. */
struct aco_instr *isel_valu(struct isel *c, unsigned op, aco_rc rc, unsigned count, const struct aco_operand *ops);
struct aco_operand isel_v1(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a);
struct aco_operand isel_v2(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a, struct aco_operand b);
struct aco_operand isel_v3(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a, struct aco_operand b,
                           struct aco_operand d);
/* Scalar arithmetic: at most one literal reaches the instruction. */
struct aco_operand isel_s1(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a);
struct aco_operand isel_s2(struct isel *c, unsigned op, aco_rc rc, struct aco_operand a, struct aco_operand b);
/* Comparison into SCC. */
void isel_scmp(struct isel *c, unsigned op, struct aco_operand a, struct aco_operand b);
/* Short, for it stands everywhere in the selection. */
static inline struct aco_operand
k(uint32_t value)
{
   return aco_op_const(value);
}

/* Takes the SCC that the last instruction wrote: 0 or 1 in an SGPR; a or b. */
struct aco_operand isel_scc_bool(struct isel *c);
struct aco_operand isel_scc_select(struct isel *c, aco_rc rc, struct aco_operand a, struct aco_operand b);
void isel_use_scc(struct isel *c);

struct aco_operand isel_result(const struct isel *c, const struct aco_instr *instr, unsigned def);
struct aco_operand isel_fixed_result(struct aco_instr *instr, uint16_t reg);

/* Copies into the other kind of register if needed; constants become registers too. size_dw of the value. */
struct aco_operand isel_as_v(struct isel *c, struct aco_operand op, unsigned size_dw);
struct aco_operand isel_as_s(struct isel *c, struct aco_operand op, unsigned size_dw);
/* One after another; the class says which registers. */
struct aco_operand isel_vector(struct isel *c, aco_rc rc, unsigned count, const struct aco_operand *parts);
/* a + b or a - b in vector registers, low words first; a may hold constants or scalars as the constant bus allows. */
struct aco_operand isel_add_halves(struct isel *c, bool subtract, const struct aco_operand *a,
                                   const struct aco_operand *b);
/* Parts of equal size. */
void isel_split(struct isel *c, struct aco_operand vec, unsigned count, struct aco_operand *parts);
/* Low and high dword of a 64-bit operand (constants too). */
void isel_split64(struct isel *c, struct aco_operand op, struct aco_operand *lo, struct aco_operand *hi);

bool isel_is_inside(const struct nir_cf_node *node, const struct nir_cf_node *scope);

/* ---- values ---- */

struct aco_operand isel_src(struct isel *c, const struct nir_src *src, unsigned component);
struct aco_operand isel_alu_src(struct isel *c, const struct nir_alu_instr *alu, unsigned src, unsigned component);
/* All components as one SGPR value. */
struct aco_operand isel_src_vec_s(struct isel *c, const struct nir_src *src);
void isel_set(struct isel *c, const struct nir_def *def, unsigned component, struct aco_operand op);
/* Lane mask or 0/1 of component of a boolean, whatever it is. */
struct aco_operand isel_bool_mask(struct isel *c, const struct nir_src *src, unsigned component);
void isel_bool_to_scc(struct isel *c, const struct nir_src *src, unsigned component);
struct aco_operand isel_bool_v(struct isel *c, const struct nir_src *src, unsigned component); /* 0 or 1 in a VGPR */
/* Sets a boolean from a lane mask: turns it into a uniform one where def is uniform. */
void isel_set_mask(struct isel *c, const struct nir_def *def, unsigned component, struct aco_operand mask);
/* Sets a boolean from SCC, which the last instruction wrote. */
void isel_set_scc(struct isel *c, const struct nir_def *def, unsigned component);
/* Low bits of an 8 or 16-bit integer extended to 32; 32-bit operands stay. */
struct aco_operand isel_extend(struct isel *c, struct aco_operand op, unsigned bits, bool is_signed);
aco_rc isel_rc_of(const struct nir_def *def, bool vector); /* of one component; boolean: lane mask or SGPR */

/* Opcode by lane mask size. */
#define ISEL_LM(c, name) ((c)->program->wave_size == 32 ? AMD_OP_##name##_b32 : AMD_OP_##name##_b64)
struct aco_operand isel_exec(const struct isel *c);
/* Lanes that take part in operations between them: no helpers, or nobody else is left. A loop in which each turn
 * serves the first lane has to serve helpers too, or never ends. */
struct aco_operand isel_active(struct isel *c);
/* Value of the first of those lanes, in SGPRs. */
struct aco_operand isel_first_active(struct isel *c, struct aco_operand op, unsigned size_dw);
/* Around memory writes: leaves EXEC without helper lanes and returns what to restore, NONE if nothing changed. */
struct aco_operand isel_begin_exact(struct isel *c);
void isel_end_exact(struct isel *c, struct aco_operand saved);

/* ---- by concept ---- */

void isel_alu(struct isel *c, struct nir_alu_instr *alu);
bool isel_alu_packed(struct isel *c, struct nir_alu_instr *alu);
/* A register with two 16-bit components: makes it (or finds it); takes it for components 2 pair and 2 pair + 1. */
struct aco_operand isel_pack(struct isel *c, const struct nir_src *src, unsigned low, unsigned high);
void isel_keep_packed(struct isel *c, const struct nir_alu_instr *alu); /* of a vecN: what its sources have packed */
void isel_set_packed(struct isel *c, const struct nir_def *def, unsigned pair, struct aco_operand op);
bool isel_alu_int(struct isel *c, struct nir_alu_instr *alu);
bool isel_alu_float(struct isel *c, struct nir_alu_instr *alu);
bool isel_alu_convert(struct isel *c, struct nir_alu_instr *alu);
/* V# of the constants after the code. */
struct aco_operand isel_data_descriptor(struct isel *c);
bool isel_memory(struct isel *c, struct nir_intrinsic_instr *intr);
/* Cache bits by enum nir_access: coherent loads pass L0 (glc) and L1 (dlc), coherent stores pass L0. */
void isel_set_coherence(const struct isel *c, struct aco_instr *instr, uint32_t access, bool load);
bool isel_atomic(struct isel *c, struct nir_intrinsic_instr *intr);
/* Instructions of an atomic operation; AMD_OP_COUNT where there is none. */
struct isel_atomic {
   uint16_t buffer, buffer64, global, global64, ds, ds_rtn, ds64, ds64_rtn, image;
};
extern const struct isel_atomic isel_atomics[]; /* by enum nir_atomic_op */
/* Whether it is one of these, and of the generation. */
static inline bool
isel_has_op(const struct isel *c, unsigned op)
{
   return op != AMD_OP_COUNT && aco_info(c->program, op)->encs;
}
bool isel_image(struct isel *c, struct nir_intrinsic_instr *intr);
void isel_tex(struct isel *c, struct nir_tex_instr *tex);
/* GFX11: a fragment's input at barycentrics I and J; NULL: flat. Of one vertex, where values are by vertex. */
struct aco_operand isel_param(struct isel *c, unsigned attr, unsigned chan, const struct aco_operand *ij);
struct aco_operand isel_vertex_param(struct isel *c, unsigned attr, unsigned chan, unsigned vertex);
bool isel_io(struct isel *c, struct nir_intrinsic_instr *intr);
bool isel_sysval(struct isel *c, struct nir_intrinsic_instr *intr);
bool isel_pops(struct isel *c, struct nir_intrinsic_instr *intr);
/* The last export, of nothing. */
void isel_export_nothing(struct isel *c);
/* Everything that an ordered section read or wrote must have arrived. */
void isel_await_memory(struct isel *c);
bool isel_subgroup(struct isel *c, struct nir_intrinsic_instr *intr);
bool isel_matrix(struct isel *c, struct nir_intrinsic_instr *intr); /* aco_select_matrix.c */
struct aco_operand isel_local_index(struct isel *c);                /* compute: in the workgroup */
struct aco_operand isel_lane_id(struct isel *c);
/* Value of another lane; old: what lanes without a source keep, NULL: they get 0. */
struct aco_operand isel_dpp_mov(struct isel *c, struct aco_operand src, unsigned ctrl, const struct aco_operand *old);
/* Enables all lanes; returns what to restore. x: the result, which leaves the section. */
struct aco_operand isel_begin_whole(struct isel *c);
struct aco_operand isel_end_whole(struct isel *c, struct aco_operand saved, struct aco_operand x);
void isel_reduce(struct isel *c, struct nir_intrinsic_instr *intr);
/* iadd, isub, imul, iand, ior, ixor, imin, imax, umin, umax of 64 bits. */
struct aco_operand isel_int64(struct isel *c, enum nir_op op, struct aco_operand a, struct aco_operand b);
/* aco_select_streamout.c */
bool isel_streamout(struct isel *c, struct nir_intrinsic_instr *intr);
void isel_barrier(struct isel *c, struct nir_intrinsic_instr *intr);
/* Of the caches around a CU, what others in the scope may have written elsewhere. */
void isel_invalidate(struct isel *c, enum nir_scope scope);
void isel_quad_swizzle(struct isel *c, struct aco_operand src, unsigned ctrl, struct aco_operand *out);
void isel_instr(struct isel *c, struct nir_instr *instr);
void isel_end_phis(struct isel *c, struct nir_block *block); /* at the end of a nir block */
void isel_cf_list(struct isel *c, struct list_head *list);
void isel_body(struct isel *c); /* everything after isel_start() */
/* Lanes end where others continue: discards in loops. */
bool isel_ends_lanes(struct nir_shader *nir);
/* Lanes become helpers; ends: and leave all loops at the next occasion. */
void isel_demote(struct isel *c, const struct nir_src *condition, bool ends);
/* aco_select_merged.c: the stages whose waves have threads of two kinds. System SGPR `number`; the mask of the lanes
 * with a thread of the first kind (at 0) or the second (at 8: of merged_wave_info, SGPR 3); the lane's thread in the
 * workgroup; all lanes or others. */
bool isel_is_merged(const struct isel *c);
struct aco_operand isel_system_sgpr(const struct isel *c, unsigned number);
struct aco_operand isel_threads(struct isel *c, unsigned at);
struct aco_operand isel_thread(struct isel *c);
void isel_set_exec(struct isel *c, struct aco_operand mask);
bool isel_merged(struct isel *c, struct nir_intrinsic_instr *intr);
/* aco_select_ngg.c: up to where lanes are vertices, what follows these, and parameters from `first` on. */
void isel_start_ngg(struct isel *c);
void isel_export_primitive(struct isel *c, struct aco_operand word);
/* With transform feedback all lanes come as far as this. */
void isel_start_exports(struct isel *c);
void isel_end_exports(struct isel *c);
void isel_store_params(struct isel *c, unsigned first, unsigned count, const uint8_t *slots);
/* The rest of the program is for the lanes of the mask, until the end of lanes or, in the end, of the program. */
struct aco_block *isel_begin_lanes(struct isel *c, struct aco_operand mask);
void isel_end_lanes(struct isel *c, struct aco_block *head);
/* Lanes whose thread's number is less. */
struct aco_operand isel_lanes_below(struct isel *c, struct aco_operand count);
void isel_start(struct isel *c);  /* arguments */
void isel_finish(struct isel *c); /* exports, end of program */
/* End of program when no lane is left (not of a vertex shader). */
void isel_finish_empty(struct isel *c, bool in_section);
void isel_end_in_section(struct isel *c); /* end of program that leaves the ordered section too */

#endif
