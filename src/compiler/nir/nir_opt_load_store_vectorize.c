/* Joins neighbouring loads of one block into vectors. A load moves up to the earlier one, never over a write that
 * could touch it. Stores that follow each other, with nothing between that memory could matter to, join at the last
 * one. */
#include "compiler/nir/nir_builder.h"
#include "compiler/nir/nir_passes.h"
#include "util/macros.h"

#define WINDOW 32 /* accesses looked back at */

struct access {
   struct nir_intrinsic_instr *instr; /* NULL: free */
   struct nir_def *buffer;            /* NULL: the operation has none */
   struct nir_def *base;              /* run-time part of the offset, NULL: none */
   uint32_t constant_B;
   unsigned count, bits;
};

struct window {
   struct nir_shader *shader;
   struct access open[WINDOW];
   unsigned next;
   struct access store; /* the last store, while nothing else touched memory */
};

/* Source numbers of buffer and offset; false if the pass does not know the operation. */
static bool
is_load(enum nir_intrinsic_op op, int *buffer, int *offset)
{
   *buffer = -1;
   *offset = 0;
   if (op == NIR_INTRINSIC_load_push_constant || op == NIR_INTRINSIC_load_constant || op == NIR_INTRINSIC_load_shared)
      return true;
   *buffer = 0;
   *offset = 1;
   return op == NIR_INTRINSIC_load_ubo || op == NIR_INTRINSIC_load_ssbo || op == NIR_INTRINSIC_load_global_constant;
}

static bool
is_store(enum nir_intrinsic_op op, int *buffer, int *offset)
{
   *buffer = op == NIR_INTRINSIC_store_ssbo ? 1 : -1;
   *offset = op == NIR_INTRINSIC_store_ssbo ? 2 : 1;
   return op == NIR_INTRINSIC_store_ssbo || op == NIR_INTRINSIC_store_shared || op == NIR_INTRINSIC_store_scratch;
}

/* offset = base + constant. */
static void
decompose(struct nir_def *offset, struct access *access)
{
   access->base = offset;
   access->constant_B = 0;
   if (offset->parent->type == NIR_INSTR_LOAD_CONST) {
      access->base = NULL;
      access->constant_B = nir_as_load_const(offset->parent)->value[0].u32;
      return;
   }
   if (offset->parent->type != NIR_INSTR_ALU || nir_as_alu(offset->parent)->op != NIR_OP_iadd)
      return;
   const struct nir_alu_instr *add = nir_as_alu(offset->parent);
   for (unsigned i = 0; i < 2; i++) {
      const struct nir_alu_src *x = &add->src[i], *c = &add->src[1 - i];
      if (!nir_src_is_const(c->src) || x->src.def->num_components != 1)
         continue;
      access->base = x->src.def;
      access->constant_B = (uint32_t)nir_src_comp_as_uint(c->src, c->swizzle[0]);
      return;
   }
}

static bool
same_place(const struct access *a, const struct access *b)
{
   const struct nir_intrinsic_instr *x = a->instr, *y = b->instr;
   if (x->op != y->op || a->buffer != b->buffer || a->base != b->base || a->bits != b->bits)
      return false;
   if (nir_intrinsic_has_base(x) && nir_intrinsic_base(x) != nir_intrinsic_base(y))
      return false;
   return nir_intrinsic_access(x) == nir_intrinsic_access(y);
}

/* Workgroup memory wants vectors aligned to their size. */
static bool
is_aligned(const struct access *low, unsigned count)
{
   uint32_t size_B = 1u << log2_ceil(count * low->bits / 8);
   if (low->instr->op != NIR_INTRINSIC_load_shared && low->instr->op != NIR_INTRINSIC_store_shared)
      return true;
   return nir_intrinsic_align_mul(low->instr) >= size_B && nir_intrinsic_align_offset(low->instr) % size_B == 0;
}

static struct nir_def *
offset_of(struct nir_builder *b, const struct access *access)
{
   if (!access->base)
      return nir_imm_int(b, (int32_t)access->constant_B);
   return nir_iadd_imm(b, access->base, access->constant_B);
}

/* One load for both, in place of the earlier one. */
static void
join(struct window *w, struct access *earlier, const struct access *later)
{
   const struct access *low = later->constant_B < earlier->constant_B ? later : earlier;
   const struct access *high = low == earlier ? later : earlier;
   int buffer, offset;
   is_load(earlier->instr->op, &buffer, &offset);
   struct nir_builder b = nir_builder_at(w->shader, nir_before_instr(&earlier->instr->instr));
   struct nir_def *srcs[2] = {};
   if (buffer >= 0)
      srcs[buffer] = earlier->buffer;
   srcs[offset] = offset_of(&b, low);
   unsigned count = low->count + high->count;
   struct nir_intrinsic_instr *load = nir_build_intrinsic(&b, earlier->instr->op, count, earlier->bits, srcs, NULL);
   for (unsigned i = 0; i < NIR_INTRINSIC_MAX_INDICES; i++)
      load->index[i] = low->instr->index[i];
   uint32_t low_mask = (1u << low->count) - 1;
   struct nir_def *low_value = nir_channels(&b, &load->def, low_mask);
   struct nir_def *high_value = nir_channels(&b, &load->def, ((1u << count) - 1) & ~low_mask);
   nir_def_replace(&low->instr->def, low_value);
   nir_def_replace(&high->instr->def, high_value);
   uint32_t constant_B = low->constant_B;
   nir_instr_remove(&later->instr->instr);
   nir_instr_remove(&earlier->instr->instr);
   earlier->instr = load;
   earlier->constant_B = constant_B;
   earlier->count = count;
}

static bool
visit_load(struct window *w, struct access *access)
{
   for (unsigned i = 0; i < WINDOW; i++) {
      struct access *other = &w->open[i];
      if (!other->instr || !same_place(other, access) || other->count + access->count > NIR_MAX_COMPONENTS)
         continue;
      uint32_t size_B = access->bits / 8;
      bool after = access->constant_B == other->constant_B + other->count * size_B;
      bool before = other->constant_B == access->constant_B + access->count * size_B;
      if ((!after && !before) || !is_aligned(after ? other : access, other->count + access->count))
         continue;
      join(w, other, access);
      return true;
   }
   w->open[w->next++ % WINDOW] = *access;
   return false;
}

/* Memory may change here: loads of what can change do not move over it. */
static void
close_window(struct window *w)
{
   for (unsigned i = 0; i < WINDOW; i++) {
      struct nir_intrinsic_instr *instr = w->open[i].instr;
      if (instr && !(nir_intrinsic_infos[instr->op].flags & NIR_INTRINSIC_FLAG_REORDER) &&
          !(nir_intrinsic_access(instr) & NIR_ACCESS_CAN_REORDER))
         w->open[i].instr = NULL;
   }
}

/* One store for both, in place of the later one. */
static void
join_stores(struct window *w, const struct access *earlier, struct access *later)
{
   const struct access *low = later->constant_B < earlier->constant_B ? later : earlier;
   const struct access *high = low == earlier ? later : earlier;
   int buffer, offset;
   is_store(later->instr->op, &buffer, &offset);
   struct nir_builder b = nir_builder_at(w->shader, nir_before_instr(&later->instr->instr));
   struct nir_def *channels[NIR_MAX_COMPONENTS], *srcs[3] = {};
   unsigned count = low->count + high->count;
   for (unsigned i = 0; i < count; i++)
      channels[i] = i < low->count ? nir_channel(&b, low->instr->src[0].def, i)
                                   : nir_channel(&b, high->instr->src[0].def, i - low->count);
   srcs[0] = nir_vec(&b, channels, count);
   if (buffer >= 0)
      srcs[buffer] = later->buffer;
   srcs[offset] = offset_of(&b, low);
   struct nir_intrinsic_instr *store = nir_build_intrinsic(&b, later->instr->op, count, 0, srcs, NULL);
   for (unsigned i = 0; i < NIR_INTRINSIC_MAX_INDICES; i++)
      store->index[i] = low->instr->index[i];
   nir_intrinsic_set_write_mask(store, (1u << count) - 1);
   uint32_t constant_B = low->constant_B;
   nir_instr_remove(&earlier->instr->instr);
   nir_instr_remove(&later->instr->instr);
   later->instr = store;
   later->constant_B = constant_B;
   later->count = count;
}

/* The access becomes the last store, joined with the one before if they touch. */
static bool
visit_store(struct window *w, struct access *access)
{
   const struct access *last = &w->store;
   uint32_t size_B = access->bits / 8;
   bool joined = false;
   if (last->instr && same_place(last, access) && last->count + access->count <= NIR_MAX_COMPONENTS) {
      bool after = access->constant_B == last->constant_B + last->count * size_B;
      bool before = last->constant_B == access->constant_B + access->count * size_B;
      if ((after || before) && is_aligned(after ? last : access, last->count + access->count)) {
         join_stores(w, last, access);
         joined = true;
      }
   }
   w->store = *access;
   return joined;
}

/* Whether a part that lies outside of the buffer could change what another part does. Where the hardware looks at
 * each dword that is so if an offset wraps around between them. */
static bool
is_separate(const struct nir_shader *shader, const struct access *access)
{
   const enum nir_intrinsic_op op = access->instr->op;
   const uint8_t robust = op == NIR_INTRINSIC_load_ubo ? shader->info.robust_uniform
                          : op == NIR_INTRINSIC_load_ssbo || op == NIR_INTRINSIC_store_ssbo
                             ? shader->info.robust_storage
                             : NIR_ROBUST_NONE;
   return robust == NIR_ROBUST_ZERO ||
          (robust == NIR_ROBUST_DWORDS && (access->base || access->constant_B > INT32_MAX));
}

static bool
visit_intrinsic_store(struct window *w, struct nir_intrinsic_instr *instr, int buffer, int offset)
{
   struct access access = {.instr = instr, .count = instr->num_components, .bits = instr->src[0].def->bit_size};
   access.buffer = buffer >= 0 ? instr->src[buffer].def : NULL;
   close_window(w);
   bool whole = nir_intrinsic_write_mask(instr) == (1u << access.count) - 1;
   if (access.bits < 32 || !whole || (nir_intrinsic_access(instr) & NIR_ACCESS_VOLATILE)) {
      w->store.instr = NULL;
      return false;
   }
   decompose(instr->src[offset].def, &access);
   if (is_separate(w->shader, &access)) {
      w->store.instr = NULL;
      return false;
   }
   return visit_store(w, &access);
}

static bool
visit(struct window *w, struct nir_intrinsic_instr *instr)
{
   int buffer, offset;
   if (is_store(instr->op, &buffer, &offset))
      return visit_intrinsic_store(w, instr, buffer, offset);
   if (!(nir_intrinsic_infos[instr->op].flags & NIR_INTRINSIC_FLAG_REORDER))
      w->store.instr = NULL; /* may look at what is stored */
   if (!is_load(instr->op, &buffer, &offset)) {
      if (!(nir_intrinsic_infos[instr->op].flags & NIR_INTRINSIC_FLAG_ELIM))
         close_window(w);
      return false;
   }
   if ((nir_intrinsic_access(instr) & NIR_ACCESS_VOLATILE))
      return false;
   struct access access = {.instr = instr, .count = instr->num_components, .bits = instr->def.bit_size};
   access.buffer = buffer >= 0 ? instr->src[buffer].def : NULL;
   decompose(instr->src[offset].def, &access);
   return access.bits >= 32 && !is_separate(w->shader, &access) && visit_load(w, &access);
}

bool
nir_opt_load_store_vectorize(struct nir_shader *shader)
{
   bool progress = false;
   nir_foreach_block(block, shader) {
      struct window window = {.shader = shader};
      nir_foreach_instr_safe(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC)
            progress |= visit(&window, nir_as_intrinsic(instr));
      }
   }
   return progress;
}
