/* Arrays of constants that are read at run-time places, as shaders have them: temporaries with initial values. */
#include "nir_random_internal.h"

#include "util/macros.h"

static uint32_t
draw(struct generator *g, uint32_t limit)
{
   return nir_random_next(&g->table_state) % limit;
}

static const struct nir_type *
random_element(struct generator *g)
{
   static const struct {
      enum nir_base_type base;
      unsigned bits;
   } kinds[] = {{NIR_TYPE_UINT, 32}, {NIR_TYPE_FLOAT, 32}, {NIR_TYPE_BOOL, 1},
                {NIR_TYPE_UINT, 8},  {NIR_TYPE_INT, 16},   {NIR_TYPE_UINT, 64}};
   unsigned kind = draw(g, g->options->only_32 ? 3 : ARRAY_SIZE(kinds));
   return nir_type_vector(kinds[kind].base, kinds[kind].bits, g->options->no_vectors ? 1 : 1 + draw(g, 4));
}

static const struct nir_type *
random_table(struct generator *g)
{
   static const uint32_t lengths[] = {1, 2, 17, 18, 31, 33, 64, 100, 17, 20, 40, 257};
   struct arena *arena = g->b.shader->arena;
   uint32_t length = lengths[draw(g, ARRAY_SIZE(lengths))];
   if (!draw(g, 40))
      length = 4096;
   const struct nir_type *element = random_element(g);
   if (!draw(g, 4))
      element = nir_type_matrix(arena, 32, 2 + draw(g, 3), 2 + draw(g, 3), 0, false);
   if (!draw(g, 4)) {
      struct nir_struct_field *fields = arena_array(arena, struct nir_struct_field, 2);
      fields[0] = (struct nir_struct_field){.type = element, .name = "one", .offset_B = -1, .location = -1};
      fields[1] = (struct nir_struct_field){.type = nir_type_array(arena, random_element(g), 1 + draw(g, 5), 0),
                                            .name = "list",
                                            .offset_B = -1,
                                            .location = -1};
      element = nir_type_struct(arena, fields, 2, "row");
   }
   return nir_type_array(arena, element, length, 0);
}

static uint32_t
scalar_bits(const struct nir_type *type, uint32_t *at)
{
   if (type->base == NIR_TYPE_ARRAY) {
      *at %= nir_type_scalars(type->element);
      return scalar_bits(type->element, at);
   }
   for (uint32_t i = 0; type->base == NIR_TYPE_STRUCT && i < type->num_fields; i++) {
      uint32_t scalars = nir_type_scalars(type->fields[i].type);
      if (*at < scalars)
         return scalar_bits(type->fields[i].type, at);
      *at -= scalars;
   }
   return type->bit_size;
}

void
create_tables(struct generator *g)
{
   g->table_state = g->options->seed * UINT64_C(0x9e3779b97f4a7c15) + 99;
   nir_random_next(&g->table_state);
   for (g->num_tables = 0; g->num_tables < MAX_TABLES && !draw(g, 3); g->num_tables++) {
      const struct nir_type *type = random_table(g);
      uint32_t scalars = nir_type_scalars(type);
      union nir_const_value *values = arena_array(g->b.shader->arena, union nir_const_value, scalars);
      for (uint32_t i = 0; i < scalars; i++) {
         uint32_t at = i;
         uint64_t value = draw(g, UINT32_MAX) | (uint64_t)draw(g, UINT32_MAX) << 32;
         values[i].u64 = (draw(g, 2) ? value : value % 9) & bit_mask(scalar_bits(type, &at));
      }
      struct nir_variable *table = nir_variable_create(g->b.shader, NIR_VAR_FUNCTION_TEMP, type, NULL);
      table->initializer = values;
      g->tables[g->num_tables] = table;
   }
}

/* In range: what is outside is undefined. The same in all lanes at times. */
static struct nir_def *
random_index(struct generator *g, uint32_t length)
{
   if (!draw(g, 4))
      return nir_imm_int(&g->b, (int32_t)draw(g, length));
   struct nir_def *value = pick(g, 32, 1);
   if (!draw(g, 3))
      value = nir_load_ssbo(&g->b, 1, 32, g->in, nir_imm_int(&g->b, (int32_t)(64 * draw(g, 16))), .align_mul = 64);
   return is_power_of_two(length) ? nir_iand_imm(&g->b, value, length - 1)
                                  : nir_umod(&g->b, value, nir_imm_int(&g->b, (int32_t)length));
}

bool
gen_table(struct generator *g)
{
   if (!g->num_tables || draw(g, 5))
      return false;
   struct nir_deref_instr *deref = nir_build_deref_var(&g->b, g->tables[draw(g, g->num_tables)]);
   while (!nir_type_is_vector_or_scalar(deref->type)) {
      if (deref->type->base == NIR_TYPE_STRUCT)
         deref = nir_build_deref_struct(&g->b, deref, draw(g, deref->type->num_fields));
      else
         deref = nir_build_deref_array(
            &g->b, deref,
            random_index(g, deref->type->base == NIR_TYPE_ARRAY ? deref->type->length : deref->type->columns));
   }
   if (deref->type->components > 1 && !draw(g, 4))
      deref = nir_build_deref_array(&g->b, deref, random_index(g, deref->type->components));
   add(g, nir_build_load_deref_of(&g->b, deref, 0));
   return true;
}
