/* Text form of a shader; nir_parse() reads it back to the same text. */
#include <inttypes.h>
#include <math.h>

#include "compiler/nir/nir_text.h"
#include "util/hash.h"
#include "util/macros.h"

struct printer {
   FILE *file;
   unsigned depth;
   struct arena arena;      /* of what follows */
   struct hash_table types; /* pointer to a nir_type -> type_use */
   uint32_t num_names;
};

static void
print_string(FILE *file, const char *text)
{
   fputc('"', file);
   for (; *text; text++) {
      unsigned char c = (unsigned char)*text;
      if (c == '"' || c == '\\')
         fprintf(file, "\\%c", c);
      else if (c < ' ')
         fprintf(file, "\\x%02x", c);
      else
         fputc(c, file);
   }
   fputc('"', file);
}

static void
print_numeric_type(FILE *file, const struct nir_type *type)
{
   static const char letters[] = {[NIR_TYPE_INT] = 'i', [NIR_TYPE_UINT] = 'u', [NIR_TYPE_FLOAT] = 'f'};
   if (type->base == NIR_TYPE_BOOL)
      fputs("bool", file);
   else
      fprintf(file, "%c%u", letters[type->base], type->bit_size);
   if (type->components > 1 || type->columns > 1)
      fprintf(file, "x%u", type->components);
   if (type->columns > 1)
      fprintf(file, "x%u", type->columns);
   if (type->stride_B || type->row_major)
      fprintf(file, "(%u%s)", type->stride_B, type->row_major ? " row_major" : "");
}

static void print_type(const struct printer *p, const struct nir_type *type);

static void
print_struct_type(const struct printer *p, const struct nir_type *type)
{
   FILE *file = p->file;
   fputs("struct ", file);
   if (type->name)
      print_string(file, type->name);
   fputs(type->is_block ? " block {" : "{", file);
   for (uint32_t i = 0; i < type->num_fields; i++) {
      const struct nir_struct_field *field = &type->fields[i];
      fputc(' ', file);
      print_type(p, field->type);
      if (field->name) {
         fputc(' ', file);
         print_string(file, field->name);
      }
      if (field->offset_B >= 0)
         fprintf(file, " @%d", field->offset_B);
      if (field->access)
         fprintf(file, " access=%u", field->access);
      if (field->location >= 0)
         fprintf(file, " location=%d", field->location);
      fputc(';', file);
   }
   fputs(" }", file);
}

static void
print_whole_type(const struct printer *p, const struct nir_type *type)
{
   FILE *file = p->file;
   switch (type->base) {
   case NIR_TYPE_BOOL:
   case NIR_TYPE_INT:
   case NIR_TYPE_UINT:
   case NIR_TYPE_FLOAT:
      print_numeric_type(file, type);
      break;
   case NIR_TYPE_VOID:
   case NIR_TYPE_SAMPLER:
      fputs(nir_base_words.words[type->base], file);
      break;
   case NIR_TYPE_ARRAY:
      fputc('[', file);
      print_type(p, type->element);
      fprintf(file, "; %u", type->length);
      if (type->stride_B)
         fprintf(file, "; %u", type->stride_B);
      fputc(']', file);
      break;
   case NIR_TYPE_STRUCT:
      print_struct_type(p, type);
      break;
   case NIR_TYPE_IMAGE:
   case NIR_TYPE_SAMPLED_IMAGE:
      fprintf(file, "%s(%s %s%s%s)", nir_base_words.words[type->base], nir_dim_words.words[type->dim],
              nir_base_words.words[type->sampled], type->is_array ? " array" : "", type->is_shadow ? " shadow" : "");
      break;
   }
}

/* ---- names of types: without them, the text of structures of two of the same would double with each level ---- */

struct type_use {
   const struct nir_type *type;
   uint32_t uses, number; /* by other types; of its name + 1 */
};

static bool
holds_structure(const struct nir_type *type)
{
   while (type->base == NIR_TYPE_ARRAY)
      type = type->element;
   return type->base == NIR_TYPE_STRUCT;
}

static struct type_use *
find_use(const struct printer *p, const struct nir_type *type)
{
   return hash_find(&p->types, &type, sizeof(type));
}

/* uses: 1 for a type in another one, 0 for that of a variable or cast. */
static void
count_uses(struct printer *p, const struct nir_type *type, uint32_t uses)
{
   struct type_use *use = holds_structure(type) ? find_use(p, type) : NULL;
   if (use)
      use->uses += uses;
   if (use || !holds_structure(type))
      return;
   use = arena_new(&p->arena, struct type_use);
   *use = (struct type_use){.type = type, .uses = uses};
   hash_add(&p->types, &use->type, sizeof(use->type), use);
   if (type->base == NIR_TYPE_ARRAY)
      count_uses(p, type->element, 1);
   for (uint32_t i = 0; i < type->num_fields; i++)
      count_uses(p, type->fields[i].type, 1);
}

/* Types with more than one use, each after the types in it. */
static void
name_types(struct printer *p, const struct nir_type *type)
{
   struct type_use *use = holds_structure(type) ? find_use(p, type) : NULL;
   if (!use || use->number)
      return;
   if (type->base == NIR_TYPE_ARRAY)
      name_types(p, type->element);
   for (uint32_t i = 0; i < type->num_fields; i++)
      name_types(p, type->fields[i].type);
   if (use->uses > 1) {
      fprintf(p->file, "type t%u ", p->num_names);
      print_whole_type(p, type);
      fputc('\n', p->file);
      use->number = ++p->num_names;
   }
}

static void
print_type(const struct printer *p, const struct nir_type *type)
{
   const struct type_use *use = holds_structure(type) ? find_use(p, type) : NULL;
   if (use && use->number)
      fprintf(p->file, "t%u", use->number - 1);
   else
      print_whole_type(p, type);
}

/* For each type of a variable or cast. */
static void
visit_types(struct printer *p, const struct nir_shader *shader,
            void (*visit)(struct printer *p, const struct nir_type *type))
{
   nir_foreach_variable(variable, shader)
      visit(p, variable->type);
   nir_foreach_block(block, shader) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_DEREF && nir_as_deref(instr)->deref_type == NIR_DEREF_CAST)
            visit(p, nir_as_deref(instr)->type);
      }
   }
}

static void
count_whole(struct printer *p, const struct nir_type *type)
{
   count_uses(p, type, 0);
}

/* ---- variables and instructions ---- */

static void
print_variable(const struct printer *p, const struct nir_variable *variable)
{
   FILE *file = p->file;
   fprintf(file, "var v%u %s ", variable->index, nir_mode_words.words[log2_floor(variable->mode)]);
   print_type(p, variable->type);
   if (variable->name) {
      fputc(' ', file);
      print_string(file, variable->name);
   }
   for (unsigned i = 0; i < nir_variable_field_count; i++) {
      const struct nir_variable_field *field = &nir_variable_fields[i];
      uint32_t value = (uint32_t)nir_field_get(variable, field->offset_B, field->size_B);
      if (value == (uint32_t)field->absent)
         continue;
      if (field->is_flag)
         fprintf(file, " %s", field->name);
      else if (field->words && value < field->words->count && field->words->words[value])
         fprintf(file, " %s=%s", field->name, field->words->words[value]);
      else
         fprintf(file, " %s=%u", field->name, value);
   }
   if (variable->initializer) {
      fputs(" init=(", file);
      for (unsigned i = 0; i < nir_type_scalars(variable->type); i++)
         fprintf(file, "%s0x%" PRIx64, i ? ", " : "", variable->initializer[i].u64);
      fputc(')', file);
   }
   fputc('\n', file);
}

static void
print_alu(FILE *file, const struct nir_alu_instr *alu)
{
   const struct nir_op_info *info = &nir_op_infos[alu->op];
   fprintf(file, "%s%s", alu->exact ? "exact " : "", info->name);
   for (unsigned i = 0; i < info->num_srcs; i++) {
      const struct nir_alu_src *src = &alu->src[i];
      unsigned count = info->src_components[i] ? info->src_components[i] : alu->def.num_components;
      bool identity = count == src->src.def->num_components;
      for (unsigned c = 0; c < count; c++)
         identity &= src->swizzle[c] == c;
      fprintf(file, "%s%%%u", i ? ", " : " ", src->src.def->index);
      if (!identity)
         fputc('.', file);
      for (unsigned c = 0; c < count && !identity; c++)
         fputc("xyzw"[src->swizzle[c] & 3], file);
   }
}

static void
print_const(FILE *file, const struct nir_load_const_instr *load)
{
   fputs("const", file);
   for (unsigned i = 0; i < load->def.num_components; i++)
      fprintf(file, "%s0x%" PRIx64, i ? ", " : " ", load->value[i].u64);
   /* As floats too if one of them looks like one. */
   bool is_float = false;
   for (unsigned i = 0; i < load->def.num_components && load->def.bit_size >= 16; i++) {
      double value = fabs(nir_const_as_float(load->value[i], load->def.bit_size));
      is_float |= value > 1e-4 && value < 1e9;
   }
   for (unsigned i = 0; i < load->def.num_components && is_float; i++)
      fprintf(file, "%s%g", i ? ", " : " # ", nir_const_as_float(load->value[i], load->def.bit_size));
}

static void
print_deref(const struct printer *p, const struct nir_deref_instr *deref)
{
   FILE *file = p->file;
   switch (deref->deref_type) {
   case NIR_DEREF_VAR:
      fprintf(file, "deref_var v%u", deref->var->index);
      break;
   case NIR_DEREF_ARRAY:
      fprintf(file, "deref_array %%%u[%%%u]", deref->parent.def->index, deref->index.def->index);
      break;
   case NIR_DEREF_STRUCT:
      fprintf(file, "deref_struct %%%u.%u", deref->parent.def->index, deref->field);
      break;
   case NIR_DEREF_CAST:
      fprintf(file, "deref_cast %%%u %s ", deref->parent.def->index, nir_mode_words.words[log2_floor(deref->mode)]);
      print_type(p, deref->type);
      break;
   }
}

static void
print_intrinsic(FILE *file, const struct nir_intrinsic_instr *instr)
{
   const struct nir_intrinsic_info *info = &nir_intrinsic_infos[instr->op];
   fprintf(file, "%s(", info->name);
   for (unsigned i = 0; i < info->num_srcs; i++)
      fprintf(file, "%s%%%u", i ? ", " : "", instr->src[i].def->index);
   fputc(')', file);
   for (unsigned i = 0; i < info->num_indices; i++) {
      const struct nir_words *words = nir_index_words(info->indices[i]);
      uint32_t value = (uint32_t)instr->index[i];
      if (info->indices[i] == NIR_INDEX_reduction_op && value < NIR_OP_COUNT)
         fprintf(file, " reduction_op=%s", nir_op_infos[value].name);
      else if (words && value < words->count && words->words[value])
         fprintf(file, " %s=%s", nir_index_names[info->indices[i]], words->words[value]);
      else if (value)
         fprintf(file, " %s=%d", nir_index_names[info->indices[i]], instr->index[i]);
   }
}

static void
print_tex(FILE *file, const struct nir_tex_instr *tex)
{
   fprintf(file, "%s %s %s%s%s%s", nir_tex_op_words.words[tex->op], nir_dim_words.words[tex->dim],
           nir_base_words.words[tex->dest_type], tex->is_array ? " array" : "", tex->is_shadow ? " shadow" : "",
           tex->is_sparse ? " sparse" : "");
   if (tex->gather_component)
      fprintf(file, " gather=%u", tex->gather_component);
   if (tex->has_gather_offsets) {
      fputs(" offsets=(", file);
      for (unsigned i = 0; i < 8; i++)
         fprintf(file, "%s%d", i ? ", " : "", tex->gather_offsets[i / 2][i % 2]);
      fputc(')', file);
   }
   fputs(" (", file);
   for (unsigned i = 0; i < tex->num_srcs; i++)
      fprintf(file, "%s%s: %%%u", i ? ", " : "", nir_tex_src_words.words[tex->src[i].type],
              tex->src[i].src.def->index);
   fputc(')', file);
}

static void
print_phi(FILE *file, const struct nir_phi_instr *phi)
{
   fputs("phi", file);
   bool first = true;
   nir_foreach_phi_src(src, phi) {
      fprintf(file, "%sb%u: %%%u", first ? " " : ", ", src->pred->index, src->src.def->index);
      first = false;
   }
}

static void
print_instr(struct printer *p, const struct nir_instr *instr)
{
   static const char *const jumps[] = {"break", "continue", "halt"};
   fprintf(p->file, "%*s", (int)p->depth * 3, "");
   const struct nir_def *def = nir_instr_def(instr);
   if (def)
      fprintf(p->file, "%ux%u %%%u = ", def->bit_size, def->num_components, def->index);
   switch (instr->type) {
   case NIR_INSTR_ALU:
      print_alu(p->file, nir_as_alu(instr));
      break;
   case NIR_INSTR_LOAD_CONST:
      print_const(p->file, nir_as_load_const(instr));
      break;
   case NIR_INSTR_UNDEF:
      fputs("undef", p->file);
      break;
   case NIR_INSTR_DEREF:
      print_deref(p, nir_as_deref(instr));
      break;
   case NIR_INSTR_INTRINSIC:
      print_intrinsic(p->file, nir_as_intrinsic(instr));
      break;
   case NIR_INSTR_TEX:
      print_tex(p->file, nir_as_tex(instr));
      break;
   case NIR_INSTR_PHI:
      print_phi(p->file, nir_as_phi(instr));
      break;
   case NIR_INSTR_JUMP:
      fputs(jumps[nir_as_jump(instr)->jump], p->file);
      break;
   }
   fputc('\n', p->file);
}

static void print_list(struct printer *p, const struct list_head *list);

static void
print_if(struct printer *p, const struct nir_if *nif)
{
   fprintf(p->file, "%*sif %%%u%s%s {\n", (int)p->depth * 3, "", nif->condition.def->index,
           nif->flatten ? " flatten" : "", nif->dont_flatten ? " dont_flatten" : "");
   print_list(p, &nif->then_list);
   fprintf(p->file, "%*s} else {\n", (int)p->depth * 3, "");
   print_list(p, &nif->else_list);
   fprintf(p->file, "%*s}\n", (int)p->depth * 3, "");
}

static void
print_list(struct printer *p, const struct list_head *list)
{
   p->depth++;
   nir_foreach_cf(node, list) {
      if (node->type == NIR_CF_BLOCK) {
         const struct nir_block *block = nir_cf_as_block(node);
         fprintf(p->file, "%*sblock b%u:\n", (int)p->depth * 3 - 3, "", block->index);
         nir_foreach_instr(instr, block)
            print_instr(p, instr);
      } else if (node->type == NIR_CF_IF) {
         print_if(p, nir_cf_as_if(node));
      } else {
         const struct nir_loop *loop = nir_cf_as_loop(node);
         fprintf(p->file, "%*sloop%s%s {\n", (int)p->depth * 3, "", loop->unroll ? " unroll" : "",
                 loop->dont_unroll ? " dont_unroll" : "");
         print_list(p, &loop->body);
         fprintf(p->file, "%*s}\n", (int)p->depth * 3, "");
      }
   }
   p->depth--;
}

static void
print_xfb(FILE *file, const struct nir_xfb *xfb)
{
   for (unsigned i = 0; i < NIR_XFB_BUFFERS; i++) {
      if (xfb->buffers >> i & 1)
         fprintf(file, "xfb_buffer %u,%u,%u\n", i, xfb->streams[i], xfb->stride_B[i]);
   }
   for (unsigned i = 0; i < xfb->num_outputs; i++) {
      const struct nir_xfb_output *out = &xfb->outputs[i];
      fprintf(file, "xfb_output %u,%u,%u,%u,%u\n", out->buffer, out->slot, out->component, out->count, out->offset_B);
   }
}

static void
print_info(FILE *file, const struct nir_shader_info *info)
{
   for (unsigned i = 0; i < nir_info_field_count; i++) {
      const struct nir_info_field *field = &nir_info_fields[i];
      uint64_t value = nir_field_get(info, field->offset_B, field->size_B);
      if (!value && field->count == 1)
         continue;
      fprintf(file, "info %s=%" PRIu64, field->name, value);
      for (unsigned k = 1; k < field->count; k++)
         fprintf(file, ",%" PRIu64, nir_field_get(info, field->offset_B + k * field->size_B, field->size_B));
      fputc('\n', file);
   }
}

void
nir_print(const struct nir_shader *shader, FILE *file)
{
   nir_index_blocks((struct nir_shader *)shader); /* numbers are scratch, not part of the shader's meaning */
   fprintf(file, "shader %s", nir_stage_names[shader->stage]);
   if (shader->name) {
      fputc(' ', file);
      print_string(file, shader->name);
   }
   fputc('\n', file);
   print_info(file, &shader->info);
   print_xfb(file, &shader->info.xfb);
   struct printer printer = {.file = file};
   visit_types(&printer, shader, count_whole);
   visit_types(&printer, shader, name_types);
   nir_foreach_variable(variable, shader)
      print_variable(&printer, variable);
   fputs("{\n", file);
   print_list(&printer, &shader->body);
   fputs("}\n", file);
   hash_free(&printer.types);
   arena_free(&printer.arena);
}
