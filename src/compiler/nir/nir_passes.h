/* Transformations. Each returns true if it changed the shader; the result is valid. The usual order stands in
 * nir_optimize.c and docs/ir.md. */
#ifndef INDIUM_NIR_PASSES_H
#define INDIUM_NIR_PASSES_H

#include "compiler/nir/nir_shader_info.h"

/* ---- variables ---- */

/* Initialisers of temporaries and outputs become stores at the start. */
bool nir_lower_initializers(struct nir_shader *shader);
/* copy_deref becomes loads and stores of vectors. */
bool nir_lower_copies(struct nir_shader *shader);
/* interpolateAt* of elements that are chosen at run time become selections among all; of elements of inputs that are
 * indexed so elsewhere, they get a variable of their own. Before nir_lower_io_to_temporaries. */
bool nir_lower_interp_derefs(struct nir_shader *shader);
/* Temporaries of which every scalar has one constant value at most, that are large or have run-time indices among
 * more than max_selected elements, become tables of constants (NIR_VAR_CONSTANT). Before nir_lower_initializers: an
 * initializer counts. */
bool nir_lower_constant_tables(struct nir_shader *shader, unsigned max_selected);
/* Outputs become temporaries that are copied at the end of the shader (so they can be read and indexed at run time);
 * so do inputs that are indexed at run time, copied at the start. copy_deref remain. */
bool nir_lower_io_to_temporaries(struct nir_shader *shader);
/* Temporaries that are only loaded and stored, arrays with constant indices, become values. No copy_deref before. */
bool nir_lower_vars_to_ssa(struct nir_shader *shader);
/* Run-time indices into temporaries become selections among all elements if a path has up to max_elements of them. */
bool nir_lower_indirect_derefs(struct nir_shader *shader, unsigned max_elements);
/* The temporaries that are left get an offset and a layout in per-invocation memory: info.scratch_B. */
bool nir_lower_vars_to_scratch(struct nir_shader *shader);
/* Workgroup variables get an offset and a layout, blocks, which have a layout, the same offset: info.shared_B. Those
 * that are `zeroed` are cleared at the start. */
bool nir_lower_shared(struct nir_shader *shader);
/* ubo, ssbo, push constant, shared and (after nir_lower_vars_to_scratch) temporary derefs become byte offsets, derefs
 * of global memory addresses. */
bool nir_lower_explicit_io(struct nir_shader *shader);
/* Accesses to storage buffers that are chosen at run time become choices among accesses to each. After
 * nir_lower_explicit_io. */
bool nir_lower_variable_pointers(struct nir_shader *shader);
/* Arithmetic that invariant outputs depend on becomes exact. Once variables are values, before nir_lower_io. */
bool nir_propagate_invariant(struct nir_shader *shader);
/* Run-time indices of elements that share a slot (packed arrays, and components of outputs that other invocations
 * see) become choices among constant ones. Before nir_lower_io. */
bool nir_lower_packed_io(struct nir_shader *shader);
/* Inputs and outputs become load_input, load_interpolated_input and store_output of 16 or 32 bits. */
bool nir_lower_io(struct nir_shader *shader);
/* After nir_lower_io: inputs and outputs of 16 bits have 32. */
bool nir_widen_io(struct nir_shader *shader);
/* Loads and stores of storage images of 64-bit integers become those of two 32-bit components; atomics stay. */
bool nir_lower_image_64(struct nir_shader *shader);
/* Ids such that four threads in a row are what DerivativeGroupQuads calls a quad; the group becomes linear. Once. */
bool nir_lower_derivative_group(struct nir_shader *shader);
/* Variables of these modes that no deref names are removed from the shader. */
bool nir_remove_dead_variables(struct nir_shader *shader, uint32_t modes);

/* ---- arithmetic for hardware that lacks it ---- */

/* Integer division and remainder: of 8 to 32 bits by float reciprocal (by a constant: by multiplication), of 64 bits
 * by a loop. fdiv: x * rcp(y), of 64 bits refined, without care for results near overflow or denormal. fpow:
 * exp2(y * log2(x)). */
bool nir_lower_alu_ops(struct nir_shader *shader);
/* Dot products of integers but for the kinds that stay. */
enum nir_dots {
   NIR_DOTS_4X8 = 1 << 0,
   NIR_DOTS_4X8_MIXED = 1 << 1, /* the first source has signs, the second none */
   NIR_DOTS_2X16 = 1 << 2,
};
bool nir_flush_signs(struct nir_shader *shader);
bool nir_lower_dots(struct nir_shader *shader, uint32_t kept);
/* Component-wise opcodes with more than one component become scalar ones and a vecN. */
bool nir_lower_alu_to_scalar(struct nir_shader *shader);
bool nir_lower_phis_to_scalar(struct nir_shader *shader);

/* ---- merged shaders ---- */

/* The first shader's code goes in front of the second's, which becomes that of both (load_runs_first,
 * load_runs_second); the first is empty then. Both are of one arena and lowered: no derefs, no halts. False, and
 * nothing happens, if they ask for different float controls. */
bool nir_merge_shaders(struct nir_shader *first, struct nir_shader *second);
struct list_head;
struct nir_if;
/* Moves the nodes of the shader, which is one empty block then, into the list, and from there into an empty branch.
 */
void nir_take_body(struct nir_shader *shader, struct list_head *body);
void nir_fill_branch(struct nir_if *nif, struct list_head *list);
/* Outputs of a shader in front of a geometry or control shader, and the inputs of that one, become accesses to
 * workgroup memory from 0 on. slots: those that the second shader reads (info.inputs_read before nir_lower_io), for
 * both; others are dropped. After nir_lower_io and nir_widen_io. */
bool nir_lower_merged_io(struct nir_shader *shader, uint64_t slots);
/* Bytes of workgroup memory of a vertex with these slots. */
uint32_t nir_merged_vertex_B(uint64_t slots);

/* ---- tessellation ---- */

/* What passes between the shaders of a tessellated draw: bits per enum nir_slot. */
struct nir_tess_io {
   uint64_t inputs;                    /* that the control shader reads of vertices */
   uint64_t outputs_read;              /* of vertices, that it reads back */
   uint64_t patch_outputs;             /* of patches, that it writes */
   uint64_t vertex_slots, patch_slots; /* that the evaluation shader reads */
   uint8_t vertices;                   /* of the patches between them */
};

/* From nir_gather_info() of both before nir_lower_io. How patches are divided, both infos have it then; what neither
 * shader says stays NONE. */
struct nir_tess_io nir_link_tessellation(struct nir_shader_info *control, struct nir_shader_info *evaluation);
/* Outputs of a control shader become accesses to workgroup memory, behind those of nir_lower_merged_io, and to the
 * memory of patches; at the end the first invocation of a patch stores its levels (store_tess_levels). After
 * nir_lower_io and nir_widen_io, once. */
bool nir_lower_tess_control_io(struct nir_shader *shader, const struct nir_tess_io *io);
/* Inputs of an evaluation shader become loads from the memory of patches. After nir_lower_io and nir_widen_io. */
bool nir_lower_tess_eval_io(struct nir_shader *shader, const struct nir_tess_io *io);
/* Bytes for a workgroup of as many patches, each of vertices_in vertices: of workgroup memory, and of the memory of
 * patches. */
uint32_t nir_tess_shared_B(const struct nir_tess_io *io, unsigned patches, unsigned vertices_in);
uint32_t nir_tess_memory_B(const struct nir_tess_io *io, unsigned patches);

/* ---- textures, fragment ---- */

/* VK_PIPELINE_CREATE_VIEW_INDEX_FROM_DEVICE_INDEX_BIT: the shader sees the device's index, 0, as the index of the
 * view. Before input attachments, which are of the view in any case. */
bool nir_lower_view_index_to_device(struct nir_shader *shader);
/* Reads of input attachments become fetches at the pixel, from the layer of the view or of the fragment. */
bool nir_lower_input_attachments(struct nir_shader *shader, bool multiview);
/* Multiview: view_index becomes a push constant that each draw sets, and the layer of what the last stage before the
 * rasterizer (sets_layer) makes. Else it is 0. */
bool nir_lower_view_index(struct nir_shader *shader, bool multiview, bool sets_layer, uint32_t push_offset_B);
/* Projectors, gathers with four offsets and explicit derivatives of cube maps become what hardware has. */
bool nir_lower_tex(struct nir_shader *shader);

#define NIR_YCBCR_MAX_PLANES 3

/* In Vulkan's order. */
enum nir_ycbcr_model {
   NIR_YCBCR_RGB,  /* nothing is done */
   NIR_YCBCR_SAME, /* only the range is expanded */
   NIR_YCBCR_709,
   NIR_YCBCR_601,
   NIR_YCBCR_2020,
};

/* What a component is before the range is expanded. */
struct nir_ycbcr_source {
   enum {
      NIR_YCBCR_ZERO,
      NIR_YCBCR_ONE,
      NIR_YCBCR_TEXEL,
   } kind;
   uint8_t plane, channel; /* of the texel */
};

struct nir_ycbcr {
   uint32_t planes; /* 0: the sampler does not convert */
   enum nir_ycbcr_model model;
   bool narrow;                        /* the range */
   uint8_t bits, stored_bits;          /* of components; of the words whose highest bits they are */
   struct nir_ycbcr_source sources[4]; /* of R, G, B and A: Cr, Y', Cb and alpha */
   float chroma_shift_tl[2];           /* of samples of planes 1 and 2, in texels of these */
};

/* A binding of combined images and samplers of which some convert: `planes` descriptors an element. */
struct nir_ycbcr_binding {
   uint32_t set, binding, planes, count;
   const struct nir_ycbcr *elements; /* count */
};

/* Samples by converting samplers become samples of planes and arithmetic; variables of these bindings become arrays
 * of descriptors. On an error (in the arena) the shader is not to be used. */
bool nir_lower_ycbcr(struct nir_shader *shader, const struct nir_ycbcr_binding *bindings, uint32_t count,
                     const char **error);

/* Ordered sections of invocations become one of the wave: enter_ordered_section ahead of all beginnings,
 * leave_ordered_section after all ends, both in one list outside of loops, so that whoever enters leaves once.
 * Memory accesses between them get the access flags that make them see what other waves did, and the reverse. layers:
 * the section runs once for each layer of overlapping invocations. Last, when descriptors and offsets are values. */
bool nir_lower_interlock(struct nir_shader *shader, bool layers);
/* NULL, or a sentence if begins and ends of invocations' ordered sections stand so that no path can be right. */
const char *nir_check_interlock(const struct nir_shader *shader);
/* NULL, or why some path would enter or leave an ordered section in a wrong order or number (in the arena). */
const char *nir_check_ordered_section(const struct nir_shader *shader);

/* ---- optimisation ---- */

bool nir_opt_constant_folding(struct nir_shader *shader);
bool nir_opt_algebraic(struct nir_shader *shader);
bool nir_opt_algebraic_late(struct nir_shader *shader); /* ffma, once, last */
bool nir_opt_copy_prop(struct nir_shader *shader);
bool nir_opt_cse(struct nir_shader *shader);
bool nir_opt_dce(struct nir_shader *shader);
bool nir_opt_dead_cf(struct nir_shader *shader);
bool nir_opt_undef(struct nir_shader *shader);
bool nir_remove_phis(struct nir_shader *shader); /* phis of one value */
/* Ifs around nothing but a discard or demote become discard_if or demote_if ahead of an empty if. */
bool nir_opt_conditional_discard(struct nir_shader *shader);
/* Ifs without side effects of up to `limit` instructions a side become selections. */
bool nir_opt_peephole_select(struct nir_shader *shader, unsigned limit);
/* Loops of a known number of iterations, up to max_instrs instructions after unrolling. */
bool nir_opt_loop_unroll(struct nir_shader *shader, unsigned max_instrs);
/* Neighbouring loads of one buffer join, up to 4 components; so do stores. */
bool nir_opt_load_store_vectorize(struct nir_shader *shader);
/* Two scalar operations on 16 bits become one on a vector where all sources stand in pairs already. */
bool nir_opt_pair_16bit(struct nir_shader *shader);

/* ---- analysis and shape for back ends ---- */

/* Sets divergent of values, blocks and loops. vector_arg, inputs and the like are divergent, scalar_arg uniform. */
void nir_divergence_analysis(struct nir_shader *shader);
/* Values of a loop that are used after it go through a phi in the block after. */
bool nir_lower_to_lcssa(struct nir_shader *shader);

/* ---- pipelines (nir_optimize.c) ---- */

/* A pass of a pipeline: true if it changed the shader. INDIUM_DEBUG may have it printed, validated or left out. */
#define NIR_PASS(shader, pass, ...)                                                                                  \
   nir_pass_end(shader, #pass, nir_pass_begin(shader, #pass) && pass(shader, ##__VA_ARGS__))

bool nir_pass_begin(struct nir_shader *shader, const char *pass); /* false: left out */
bool nir_pass_end(struct nir_shader *shader, const char *pass, bool progress);

/* Rounds of the same passes, until each of them has found nothing to do after the last one that had:
 *
 *    for (struct nir_rounds r = {.shader = shader, .most = 10}; nir_next_round(&r);) {
 *       NIR_ROUND_PASS(&r, nir_opt_...);
 *       ...
 *    } */
struct nir_rounds {
   struct nir_shader *shader;
   unsigned most, round;
   unsigned number;       /* of the pass in its round, from 1 */
   unsigned last, before; /* pass that changed something last, in this round and in the one before */
};

static inline bool
nir_next_round(struct nir_rounds *r)
{
   if (r->round == r->most || (r->round && !r->last))
      return false;
   r->before = r->last;
   r->last = r->number = 0;
   r->round++;
   return true;
}

/* Whether something has changed since the next pass ran. */
static inline bool
nir_round_wants_pass(struct nir_rounds *r)
{
   return ++r->number <= r->before || r->last || r->round == 1;
}

#define NIR_ROUND_PASS(r, ...)                                                                                       \
   ((r)->last = nir_round_wants_pass(r) && NIR_PASS((r)->shader, __VA_ARGS__) ? (r)->number : (r)->last)

/* After the front end: variables to values, inputs, outputs and memory to intrinsics, cleaned up. */
void nir_lower_variables(struct nir_shader *shader);
/* All optimisations until nothing changes; scalarises. */
void nir_optimize(struct nir_shader *shader);

#endif
