/* Construction and editing of shaders, instructions and uses. */
#include "compiler/nir/nir.h"

#include "compiler/nir/nir_cf.h"
#include "util/log.h"

struct nir_shader *
nir_shader_create(struct arena *arena, enum nir_stage stage)
{
   struct nir_shader *shader = arena_new(arena, struct nir_shader);
   shader->arena = arena;
   shader->watched = debug_any();
   shader->stage = stage;
   list_init(&shader->variables);
   list_init(&shader->body);
   for (unsigned i = 0; i < 3; i++)
      shader->info.workgroup_size[i] = 1;
   struct nir_block *block = nir_block_create(shader);
   nir_cf_link(&block->cf, NULL, &shader->body, &shader->body);
   shader->end_block = nir_block_create(shader);
   return shader;
}

struct nir_variable *
nir_variable_create(struct nir_shader *shader, uint32_t mode, const struct nir_type *type, const char *name)
{
   struct nir_variable *variable = arena_new(shader->arena, struct nir_variable);
   variable->name = name ? arena_strdup(shader->arena, name) : NULL;
   variable->mode = mode;
   variable->type = type;
   variable->index = shader->next_index++;
   variable->location = -1;
   list_add_tail(&variable->link, &shader->variables);
   return variable;
}

static void
init_instr(struct nir_instr *instr, enum nir_instr_type type)
{
   instr->type = type;
}

static void
init_src(struct nir_src *src, struct nir_instr *parent)
{
   src->parent_instr = parent;
}

void
nir_def_init(struct nir_shader *shader, struct nir_instr *instr, struct nir_def *def, unsigned num_components,
             unsigned bit_size)
{
   assert(num_components <= NIR_MAX_COMPONENTS);
   def->parent = instr;
   list_init(&def->uses);
   def->index = shader->next_index++;
   def->num_components = (uint8_t)num_components;
   def->bit_size = (uint8_t)bit_size;
   def->divergent = true;
}

struct nir_alu_instr *
nir_alu_create(struct nir_shader *shader, enum nir_op op)
{
   struct nir_alu_instr *alu = arena_alloc(shader->arena, nir_alu_size_B(op));
   init_instr(&alu->instr, NIR_INSTR_ALU);
   alu->op = op;
   for (unsigned i = 0; i < nir_op_infos[op].num_srcs; i++) {
      init_src(&alu->src[i].src, &alu->instr);
      for (unsigned c = 0; c < NIR_MAX_COMPONENTS; c++)
         alu->src[i].swizzle[c] = (uint8_t)c;
   }
   return alu;
}

struct nir_load_const_instr *
nir_load_const_create(struct nir_shader *shader, unsigned num_components, unsigned bit_size)
{
   struct nir_load_const_instr *load = arena_new(shader->arena, struct nir_load_const_instr);
   init_instr(&load->instr, NIR_INSTR_LOAD_CONST);
   nir_def_init(shader, &load->instr, &load->def, num_components, bit_size);
   return load;
}

struct nir_undef_instr *
nir_undef_create(struct nir_shader *shader, unsigned num_components, unsigned bit_size)
{
   struct nir_undef_instr *undef = arena_new(shader->arena, struct nir_undef_instr);
   init_instr(&undef->instr, NIR_INSTR_UNDEF);
   nir_def_init(shader, &undef->instr, &undef->def, num_components, bit_size);
   return undef;
}

struct nir_deref_instr *
nir_deref_create(struct nir_shader *shader, enum nir_deref_type type)
{
   struct nir_deref_instr *deref = arena_new(shader->arena, struct nir_deref_instr);
   init_instr(&deref->instr, NIR_INSTR_DEREF);
   deref->deref_type = type;
   init_src(&deref->parent, &deref->instr);
   init_src(&deref->index, &deref->instr);
   nir_def_init(shader, &deref->instr, &deref->def, 1, 32);
   return deref;
}

struct nir_intrinsic_instr *
nir_intrinsic_create(struct nir_shader *shader, enum nir_intrinsic_op op)
{
   struct nir_intrinsic_instr *instr = arena_new(shader->arena, struct nir_intrinsic_instr);
   init_instr(&instr->instr, NIR_INSTR_INTRINSIC);
   instr->op = op;
   for (unsigned i = 0; i < nir_intrinsic_infos[op].num_srcs; i++)
      init_src(&instr->src[i], &instr->instr);
   return instr;
}

struct nir_tex_instr *
nir_tex_create(struct nir_shader *shader, enum nir_tex_op op)
{
   struct nir_tex_instr *tex = arena_new(shader->arena, struct nir_tex_instr);
   init_instr(&tex->instr, NIR_INSTR_TEX);
   tex->op = op;
   for (unsigned i = 0; i < NIR_TEX_MAX_SRCS; i++)
      init_src(&tex->src[i].src, &tex->instr);
   return tex;
}

void
nir_tex_add_src(struct nir_tex_instr *tex, enum nir_tex_src_type type, struct nir_def *def)
{
   assert(tex->num_srcs < NIR_TEX_MAX_SRCS && !tex->instr.block);
   tex->src[tex->num_srcs].type = type;
   nir_src_init(&tex->src[tex->num_srcs++].src, def);
}

int
nir_tex_src_index(const struct nir_tex_instr *tex, enum nir_tex_src_type type)
{
   for (unsigned i = 0; i < tex->num_srcs; i++) {
      if (tex->src[i].type == type)
         return (int)i;
   }
   return -1;
}

struct nir_phi_instr *
nir_phi_create(struct nir_shader *shader)
{
   struct nir_phi_instr *phi = arena_new(shader->arena, struct nir_phi_instr);
   init_instr(&phi->instr, NIR_INSTR_PHI);
   list_init(&phi->srcs);
   return phi;
}

void
nir_phi_add_src(struct nir_shader *shader, struct nir_phi_instr *phi, struct nir_block *pred, struct nir_def *def)
{
   struct nir_phi_src *src = arena_new(shader->arena, struct nir_phi_src);
   src->pred = pred;
   init_src(&src->src, &phi->instr);
   nir_src_init(&src->src, def);
   list_add_tail(&src->link, &phi->srcs);
   if (phi->instr.block)
      list_add_tail(&src->src.use_link, &def->uses);
}

struct nir_jump_instr *
nir_jump_create(struct nir_shader *shader, enum nir_jump_type type)
{
   struct nir_jump_instr *jump = arena_new(shader->arena, struct nir_jump_instr);
   init_instr(&jump->instr, NIR_INSTR_JUMP);
   jump->jump = type;
   return jump;
}

static bool
foreach_deref_src(struct nir_deref_instr *deref, bool (*visit)(struct nir_src *src, void *data), void *data)
{
   if (deref->deref_type != NIR_DEREF_VAR && !visit(&deref->parent, data))
      return false;
   return deref->deref_type != NIR_DEREF_ARRAY || visit(&deref->index, data);
}

bool
nir_foreach_other_src(struct nir_instr *instr, bool (*visit)(struct nir_src *src, void *data), void *data)
{
   switch (instr->type) {
   case NIR_INSTR_DEREF:
      return foreach_deref_src(nir_as_deref(instr), visit, data);
   case NIR_INSTR_INTRINSIC: {
      struct nir_intrinsic_instr *intrinsic = nir_as_intrinsic(instr);
      for (unsigned i = 0; i < nir_intrinsic_infos[intrinsic->op].num_srcs; i++) {
         if (!visit(&intrinsic->src[i], data))
            return false;
      }
      return true;
   }
   case NIR_INSTR_TEX: {
      struct nir_tex_instr *tex = nir_as_tex(instr);
      for (unsigned i = 0; i < tex->num_srcs; i++) {
         if (!visit(&tex->src[i].src, data))
            return false;
      }
      return true;
   }
   case NIR_INSTR_PHI: {
      nir_foreach_phi_src(src, nir_as_phi(instr)) {
         if (!visit(&src->src, data))
            return false;
      }
      return true;
   }
   case NIR_INSTR_LOAD_CONST:
   case NIR_INSTR_UNDEF:
   case NIR_INSTR_JUMP:
      return true;
   case NIR_INSTR_ALU:
      break;
   }
   assert(!"instruction type");
   return true;
}

/* ---- cursors, insertion, uses ---- */

struct nir_cursor
nir_before_block(struct nir_block *block)
{
   return (struct nir_cursor){.option = NIR_CURSOR_BEFORE_BLOCK, .block = block};
}

struct nir_cursor
nir_after_block(struct nir_block *block)
{
   return (struct nir_cursor){.option = NIR_CURSOR_AFTER_BLOCK, .block = block};
}

struct nir_cursor
nir_before_instr(struct nir_instr *instr)
{
   return (struct nir_cursor){.option = NIR_CURSOR_BEFORE_INSTR, .block = instr->block, .instr = instr};
}

struct nir_cursor
nir_after_instr(struct nir_instr *instr)
{
   return (struct nir_cursor){.option = NIR_CURSOR_AFTER_INSTR, .block = instr->block, .instr = instr};
}

static bool
link_src(struct nir_src *src, void *data)
{
   assert(src->def && "a source without a value");
   list_add_tail(&src->use_link, &src->def->uses);
   return true;
}

static bool
unlink_src(struct nir_src *src, void *data)
{
   if (src->use_link.next)
      list_remove(&src->use_link);
   return true;
}

/* The list node after which the cursor stands. */
struct list_head *
nir_cursor_link(struct nir_cursor cursor)
{
   struct nir_block *block = cursor.block;
   switch (cursor.option) {
   case NIR_CURSOR_BEFORE_BLOCK: {
      struct list_head *node = &block->instrs;
      nir_foreach_instr(instr, block) {
         if (instr->type != NIR_INSTR_PHI)
            break;
         node = &instr->link;
      }
      return node;
   }
   case NIR_CURSOR_AFTER_BLOCK: {
      struct nir_jump_instr *jump = nir_block_jump(block);
      return jump ? jump->instr.link.prev : block->instrs.prev;
   }
   case NIR_CURSOR_BEFORE_INSTR:
      return cursor.instr->link.prev;
   case NIR_CURSOR_AFTER_INSTR:
      return &cursor.instr->link;
   }
   assert(!"cursor");
   return NULL;
}

void
nir_instr_insert(struct nir_cursor cursor, struct nir_instr *instr)
{
   assert(!instr->block && "the instruction is in a block already");
   if (cursor.option == NIR_CURSOR_BEFORE_INSTR || cursor.option == NIR_CURSOR_AFTER_INSTR)
      cursor.block = cursor.instr->block;
   list_add_after(&instr->link, nir_cursor_link(cursor));
   instr->block = cursor.block;
   nir_foreach_src(instr, link_src, NULL);
}

void
nir_instr_remove(struct nir_instr *instr)
{
   struct nir_def *def = nir_instr_def(instr);
   assert((!def || list_is_empty(&def->uses)) && "the value of a removed instruction is used");
   nir_foreach_src(instr, unlink_src, NULL);
   list_remove(&instr->link);
   instr->block = NULL;
}

void
nir_src_init(struct nir_src *src, struct nir_def *def)
{
   src->def = def;
   src->use_link.next = src->use_link.prev = NULL;
}

void
nir_src_unlink(struct nir_src *src)
{
   unlink_src(src, NULL);
}

void
nir_src_rewrite(struct nir_src *src, struct nir_def *def)
{
   unlink_src(src, NULL);
   src->def = def;
   list_add_tail(&src->use_link, &def->uses);
}

void
nir_def_replace(struct nir_def *def, struct nir_def *by)
{
   assert(def != by);
   nir_foreach_use(use, def)
      use->def = by;
   list_append_all(&by->uses, &def->uses);
}
