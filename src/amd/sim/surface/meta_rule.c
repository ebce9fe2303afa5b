#include "amd/sim/surface/meta_rule.h"

#include <string.h>

#include "amd/hw/registers.h"
#include "amd/sim/surface/meta_levels.h"
#include "amd/sim/surface/surface_terms.h"
#include "util/macros.h"

enum axis { X, Y, Z };
enum { FIRST_AXIS_BIT = 4, INTERLEAVE_LOG2 = 8, MAX_BITS = 40 };

/* A set of bits of coordinates, whose parity is a bit of an address. The lowest bit of a set is the one that the rule
 * takes first: samples, then by number, and x before y before z. */
typedef uint64_t bits;

static bits
sample_bit(unsigned n)
{
   return UINT64_C(1) << n;
}

static bits
axis_bit(enum axis axis, unsigned n)
{
   return UINT64_C(1) << (FIRST_AXIS_BIT + 3 * n + axis);
}

static bits
lowest(bits set)
{
   return set & -set;
}

struct equation {
   bits bit[MAX_BITS];
   unsigned count;
};

/* Appends coordinates in turn up to a number of address bits. */
static void
weave(struct equation *e, const enum axis *order, unsigned axes, unsigned next[3], unsigned end)
{
   for (unsigned i = 0; e->count < end; i++) {
      enum axis axis = order[i % axes];
      e->bit[e->count++] = axis_bit(axis, next[axis]++);
   }
}

static const enum axis xy[] = {X, Y}, yx[] = {Y, X}, xyz[] = {X, Y, Z}, yxz[] = {Y, X, Z}, zyx[] = {Z, Y, X};

/* What decides, from registers and descriptors. */
struct rule {
   enum amd_meta_kind kind;
   unsigned element_log2, samples_log2, block_log2;
   bool thick, standard, xors, prt, many_levels;
   unsigned pipes_log2, se_log2, rb_per_se_log2; /* that metadata is aligned to */
   unsigned all_rbs_log2, key_samples_log2;
   bool alias_fix;
   unsigned small[3], large[3]; /* log2 px: what an entry stands for, and what a block does */
};

/* ---- colour and depth ---- */

static void
thick_standard(struct equation *e, unsigned element_log2, unsigned next[3])
{
   static const enum axis rest[3][2] = {{Z, Y}, {Y, X}, {X, X}};
   unsigned wide = element_log2 < 2 ? 0 : element_log2 == 2 ? 1 : 2;
   weave(e, (const enum axis[]){X}, 1, next, 4);
   weave(e, (const enum axis[]){Y}, 1, next, 6);
   weave(e, (const enum axis[]){Z}, 1, next, 8);
   weave(e, rest[wide], 2, next, 10);
}

static void
thick_z(struct equation *e, unsigned element_log2, unsigned next[3])
{
   static const uint8_t plane_end[] = {4, 5, 5, 5, 6};
   static const enum axis of_1[] = {Z, Z, X, Z, Y, X}, of_2[] = {Z, Z, Z, Y, X}, of_4[] = {Z, Y, Z, Y, X},
                          of_8[] = {Z, X, Z, Y, X}, of_16[] = {Z, Z, Y, X};
   static const enum axis *const rest[] = {of_1, of_2, of_4, of_8, of_16};
   weave(e, xy, 2, next, plane_end[element_log2]);
   weave(e, rest[element_log2], 6, next, 10);
}

/* Colour of 2D images, of which bits above the block count too. */
static void
thin_color(struct equation *e, const struct rule *r, unsigned next[3])
{
   unsigned y_end = 4 + (8 - r->element_log2) / 2;
   weave(e, (const enum axis[]){X}, 1, next, 4);
   weave(e, (const enum axis[]){Y}, 1, next, y_end);
   weave(e, (const enum axis[]){X}, 1, next, 8);
   weave(e, yx, 2, next, r->block_log2 - r->samples_log2);
   for (unsigned s = 0; s < r->samples_log2; s++)
      e->bit[e->count++] = sample_bit(s);
   weave(e, (r->samples_log2 ^ r->block_log2) & 1 ? xy : yx, 2, next, 27);
}

static struct equation
data_equation(const struct rule *r)
{
   struct equation e = {.count = r->element_log2};
   unsigned next[3] = {0};
   if (r->kind != AMD_META_DCC) {
      for (unsigned s = 0; s < r->samples_log2; s++)
         e.bit[e.count++] = sample_bit(s);
      weave(&e, xy, 2, next, 6 + r->samples_log2);
      weave(&e, yx, 2, next, 27);
   } else if (!r->thick) {
      thin_color(&e, r, next);
   } else {
      (r->standard ? thick_standard : thick_z)(&e, r->element_log2, next);
      weave(&e, zyx, 3, next, 27);
   }
   return e;
}

/* ---- pipes and render backends ---- */

/* The data's address bits above those of a pipe's interleaving. */
static struct equation
above_interleaving(const struct rule *r)
{
   struct equation data = data_equation(r), above = {.count = 16};
   unsigned start = INTERLEAVE_LOG2, samples_at = r->block_log2 - r->samples_log2;
   if (r->kind == AMD_META_DCC) {
      /* Samples of colour pick no pipe. */
      for (unsigned i = samples_at; i < MAX_BITS; i++)
         data.bit[i] = i + r->samples_log2 < MAX_BITS ? data.bit[i + r->samples_log2] : 0;
   } else {
      while (data.bit[start] < axis_bit(X, 3))
         start++;
   }
   for (unsigned i = 0; i < above.count; i++)
      above.bit[i] = data.bit[start + i];
   /* Blocks of sparse images are alike: pipes come from the block, what is mixed in from nowhere else. */
   for (unsigned i = r->pipes_log2; r->prt && i < above.count; i++)
      above.bit[i] = start + i < r->block_log2 ? above.bit[i] : 0;
   return above;
}

static struct equation
pipe_equation(const struct rule *r)
{
   unsigned n = r->pipes_log2;
   struct equation data = above_interleaving(r), pipes = {.count = n};
   for (unsigned i = 0; i < n; i++) {
      unsigned reversed = n - 1 - i;
      pipes.bit[i] = data.bit[i];
      if (r->xors && r->thick)
         pipes.bit[i] |= data.bit[n + 2 * reversed] | data.bit[n + 2 * reversed + 1];
      else if (r->xors)
         pipes.bit[i] |= data.bit[n + reversed];
      if (r->xors && !r->thick && !r->prt && !r->samples_log2)
         pipes.bit[i] |= axis_bit(Z, reversed);
   }
   return pipes;
}

/* Render backends take squares of 16x16 pixels in turn, or of 32x32 where an engine has one of them. */
static struct equation
rb_equation(const struct rule *r)
{
   unsigned at[2] = {r->rb_per_se_log2 ? 4 : 5, r->rb_per_se_log2 ? 4 : 5}, start = 0;
   struct equation e = {.count = r->rb_per_se_log2 + r->se_log2};
   if (r->se_log2 && r->rb_per_se_log2 == 1) {
      e.bit[0] = axis_bit(X, 4) | axis_bit(Y, 4) | axis_bit(Y, 5);
      at[X]++, at[Y]++;
      start = 1;
   }
   /* Up and back down again. */
   unsigned left = e.count - start;
   for (unsigned i = 0; i < 2 * left; i++) {
      enum axis axis = i % 2 ? X : Y;
      unsigned to = start + (start + i >= e.count ? 2 * left - i - 1 : i);
      e.bit[to] |= axis_bit(axis, at[axis]++);
   }
   return e;
}

/* ---- metadata ---- */

static bits
within(const struct rule *r)
{
   bits set = bit_mask(FIRST_AXIS_BIT);
   for (enum axis axis = X; axis <= Z; axis++) {
      for (unsigned n = 0; n < r->large[axis]; n++)
         set |= axis_bit(axis, n);
   }
   return set;
}

/* Entries of a block in Morton order, samples that are compressed first. */
static struct equation
entries(const struct rule *r)
{
   struct equation all = {0}, e = {0};
   unsigned next[3] = {0};
   for (unsigned s = 0; !r->thick && r->kind == AMD_META_DCC && s < r->key_samples_log2; s++)
      all.bit[all.count++] = sample_bit(s);
   if (r->thick)
      weave(&all, r->many_levels ? yxz : xyz, 3, next, MAX_BITS);
   else
      weave(&all, r->many_levels ? yx : xy, 2, next, MAX_BITS);
   bits keep = within(r);
   for (enum axis axis = X; axis <= Z; axis++) {
      for (unsigned n = 0; n < r->small[axis]; n++)
         keep &= ~axis_bit(axis, n);
   }
   for (unsigned i = 0; i < all.count; i++) {
      if (all.bit[i] & keep)
         e.bit[e.count++] = all.bit[i];
   }
   return e;
}

static void
drop(struct equation *e, bits bit)
{
   unsigned kept = 0;
   for (unsigned i = 0; i < e->count; i++) {
      if (e->bit[i] != bit)
         e->bit[kept++] = e->bit[i];
   }
   e->count = kept;
}

/* Where one bit of a set is known, the others of its sum tell the rest: takes the bit out of a later set. */
static void
substitute(bits *set, bits known, bits others, bool *mixed, bool mixing)
{
   if (!(*set & known))
      return;
   *set &= ~known;
   *set |= others;
   *mixed |= others && mixing;
}

/* Takes a coordinate out of the entries' order for each pipe, then for each render backend that pipes do not tell.
 * Returns which backends those are. */
static unsigned
take_coordinates(const struct rule *r, struct equation *e, struct equation pipes, struct equation rbs)
{
   bits inside = within(r), flat = ~UINT64_C(0);
   bool mixed[8] = {false};
   unsigned left = 0;
   for (unsigned n = 0; r->alias_fix && n < 16; n++)
      flat &= ~axis_bit(Z, n);
   for (unsigned i = 0; i < pipes.count; i++)
      pipes.bit[i] &= inside;
   for (unsigned i = 0; i < rbs.count; i++) {
      for (unsigned k = 0; k < pipes.count; k++) {
         if (rbs.bit[i] == (pipes.bit[k] & flat))
            rbs.bit[i] = 0;
      }
   }
   for (unsigned i = 0; i < pipes.count; i++) {
      bits first = lowest(pipes.bit[i]);
      drop(e, first);
      for (unsigned k = 0; k < pipes.count; k++)
         pipes.bit[k] &= ~first;
      for (unsigned k = 0; k < rbs.count; k++)
         substitute(&rbs.bit[k], first, pipes.bit[i], &mixed[k], true);
   }
   for (unsigned i = 0; i < rbs.count; i++) {
      if ((unsigned)__builtin_popcountll(rbs.bit[i]) <= (r->alias_fix && mixed[i] ? 1u : 0u))
         continue;
      bits first = lowest(rbs.bit[i]);
      left |= 1u << i;
      drop(e, first);
      for (unsigned k = i + 1; k < rbs.count; k++)
         substitute(&rbs.bit[k], first, rbs.bit[i] & ~first, &mixed[k], mixed[i]);
   }
   return left;
}

/* ---- the rule's input ---- */

/* Log2 of what 256 bytes hold: of 2D images, and of 3D ones in standard and in Z order. */
static void
small_block(struct rule *r)
{
   static const uint8_t thin[][3] = {{4, 4, 0}, {4, 3, 0}, {3, 3, 0}, {3, 2, 0}, {2, 2, 0}},
                        standard[][3] = {{4, 2, 2}, {3, 2, 2}, {2, 2, 2}, {1, 2, 2}, {0, 2, 2}},
                        z[][3] = {{3, 2, 3}, {2, 2, 3}, {2, 2, 2}, {2, 1, 2}, {1, 1, 2}};
   static const uint8_t tile[3] = {3, 3, 0};
   const uint8_t *size = tile;
   if (r->kind == AMD_META_DCC)
      size = (!r->thick ? thin : r->standard ? standard : z)[r->element_log2];
   for (enum axis axis = X; axis <= Z; axis++)
      r->small[axis] = size[axis];
}

/* Log2 of the entries of a block. */
static unsigned
entries_log2(const struct rule *r)
{
   unsigned rbs_log2 = r->all_rbs_log2, n;
   bool several = r->pipes_log2 || r->se_log2 || r->rb_per_se_log2;
   switch (r->kind) {
   case AMD_META_HTILE:
      return 10 + (several ? rbs_log2 : 0);
   case AMD_META_CMASK:
      return MAX2(13u, several ? 10 + rbs_log2 : 0);
   case AMD_META_DCC:
      n = (r->thick ? 16 : 12) - r->samples_log2;
      return several ? MIN2(MAX2(n, rbs_log2 + (r->thick ? 18 : 10)), 19 + r->element_log2) : n;
   }
   return 0;
}

/* Doubles the shorter side; of equal ones the width, with levels the height. */
static void
large_block(struct rule *r)
{
   unsigned *b = r->large;
   memcpy(b, r->small, sizeof(r->small));
   for (unsigned i = entries_log2(r); i-- > 0;) {
      enum axis axis = b[Y] < b[X] || (r->many_levels && b[X] == b[Y]) ? Y : X;
      b[r->thick && b[axis] > b[Z] ? Z : axis]++;
   }
}

/* Chips for which the address library sets applyAliasFix: of those here only renoir. */
static bool
has_alias_fix(uint32_t gb_addr_config)
{
   return gb_addr_config == 0x26010042;
}

unsigned
amd_meta_data_block_log2(unsigned mode)
{
   return mode < 4 ? 8 : mode < 8 || (mode >= 20 && mode < 24) ? 12 : 16;
}

static struct rule
read_rule(enum amd_meta_kind kind, const struct amd_surface_desc *desc, struct amd_meta_align align)
{
   uint32_t config = desc->gb_addr_config;
   struct rule r = {.kind = kind,
                    .element_log2 = desc->element_log2,
                    .samples_log2 = kind == AMD_META_CMASK ? 0 : desc->samples_log2,
                    .block_log2 = amd_meta_data_block_log2(desc->mode),
                    .standard = desc->mode % 4 == 1,
                    .xors = desc->mode >= 16,
                    .prt = desc->mode >= 16 && desc->mode < 20,
                    .many_levels = desc->levels > 1,
                    .alias_fix = has_alias_fix(config)};
   r.thick = kind == AMD_META_DCC && desc->is_3d && desc->mode % 4 < 2;
   r.key_samples_log2 = MIN2(r.samples_log2, G_GB_ADDR_CONFIG_MAX_COMPRESSED_FRAGS(config));
   unsigned se_log2 = G_GB_ADDR_CONFIG_NUM_SHADER_ENGINES(config),
            rb_per_se_log2 = G_GB_ADDR_CONFIG_NUM_RB_PER_SE(config);
   r.all_rbs_log2 = se_log2 + rb_per_se_log2;
   if (align.rb) {
      r.se_log2 = se_log2;
      r.rb_per_se_log2 = rb_per_se_log2;
   }
   if (align.pipe) {
      r.pipes_log2 = MIN2(G_GB_ADDR_CONFIG_NUM_PIPES(config) + se_log2, 5);
      if (r.xors)
         r.pipes_log2 = MIN2(r.pipes_log2, r.block_log2 - INTERLEAVE_LOG2);
   }
   small_block(&r);
   large_block(&r);
   return r;
}

/* ---- the result ---- */

struct terms {
   uint32_t x[16], y[16], z[16], s[16];
};

static void
add_bit(struct terms *terms, bits set, unsigned at)
{
   for (unsigned s = 0; s < FIRST_AXIS_BIT; s++)
      terms->s[s] |= (uint32_t)(set >> s & 1) << at;
   for (unsigned n = 0; n < 16; n++) {
      terms->x[n] |= (uint32_t)((set & axis_bit(X, n)) != 0) << at;
      terms->y[n] |= (uint32_t)((set & axis_bit(Y, n)) != 0) << at;
      terms->z[n] |= (uint32_t)((set & axis_bit(Z, n)) != 0) << at;
   }
}

/* Entries lie in their order, but for the bits between: pipes, render backends, samples that are not compressed. */
static void
fill_terms(struct amd_meta *meta, const struct rule *r)
{
   static const uint8_t unit[] = {[AMD_META_HTILE] = 2, [AMD_META_CMASK] = 0, [AMD_META_DCC] = 0};
   struct equation pipes = pipe_equation(r), rbs = rb_equation(r), e = entries(r);
   unsigned left = take_coordinates(r, &e, pipes, rbs), gap_at = INTERLEAVE_LOG2 + meta->halves, at = gap_at;
   struct terms terms = {0};
   for (unsigned i = 0; i < pipes.count; i++)
      add_bit(&terms, pipes.bit[i], at++);
   for (unsigned i = 0; i < rbs.count; i++) {
      if (left >> i & 1)
         add_bit(&terms, rbs.bit[i], at++);
   }
   for (unsigned s = r->key_samples_log2; s < r->samples_log2 && r->kind == AMD_META_DCC; s++)
      add_bit(&terms, sample_bit(s), at++);
   meta->gap_at = gap_at;
   meta->gap = at - gap_at;
   for (unsigned i = 0; i < e.count; i++) {
      unsigned place = unit[r->kind] + i;
      add_bit(&terms, e.bit[i], place < gap_at ? place : place + meta->gap);
   }
   meta->size_log2 = unit[r->kind] + e.count - meta->halves;
   amd_surface_fill_terms(meta->x_low, meta->x_high, terms.x);
   amd_surface_fill_terms(meta->y_low, meta->y_high, terms.y);
   amd_surface_fill_few_terms(meta->z, 256, terms.z);
   amd_surface_fill_few_terms(meta->s, 16, terms.s);
}

void
amd_meta_rule_init(struct amd_meta *meta, enum amd_meta_kind kind, const struct amd_surface_desc *desc,
                   unsigned level, struct amd_meta_align align)
{
   const struct rule r = read_rule(kind, desc, align);
   meta->halves = kind == AMD_META_CMASK;
   meta->key_samples = 1u << r.key_samples_log2;
   meta->width_log2 = r.large[X];
   meta->height_log2 = r.large[Y];
   meta->depth_log2 = r.large[Z];
   meta->pipes = (uint32_t)bit_mask(r.pipes_log2);
   fill_terms(meta, &r);
   amd_meta_levels_place(meta, desc, level, r.thick);
}
