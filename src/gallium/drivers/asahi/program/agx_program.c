/* Programs of both kinds: upload, USC lists, statistics, destruction. */
#include "gallium/drivers/asahi/program/agx_shader_separate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "asahi/hw/records.h"
#include "compiler/nir/nir_constant_data.h"
#include "util/macros.h"
#include "util/mutant.h"

/* Constants that follow each other in the uniforms go there in one piece. */
static unsigned
constant_run(const struct agx_constant *constants, unsigned count)
{
   unsigned run = 1;

   while (run < count && run < 32 && constants[run].uniform == constants[0].uniform + 2 * run)
      run++;
   return run;
}

static char *
pack_uniforms(char *usc, unsigned start, unsigned size, uint64_t va)
{
   if (start < 256)
      agx_usc_uniform_pack(usc, &(struct agx_usc_uniform){.start = start, .size = size, .buffer = va});
   else
      agx_usc_uniform_high_pack(usc,
                                &(struct agx_usc_uniform_high){.start = start - 256, .size = size, .buffer = va});
   return usc + AGX_USC_UNIFORM_SIZE_B;
}

static char *
pack_constants(const struct agx_output *out, const struct aux_code *memory, uint32_t at_B, char *usc, const char *end)
{
   for (unsigned i = 0; i < out->constant_count;) {
      unsigned run = constant_run(&out->constants[i], out->constant_count - i), start = out->constants[i].uniform;
      uint64_t va = memory->va + at_B + 4 * i;

      for (unsigned j = i; j < i + run; j++)
         memcpy(memory->map + at_B + 4 * j, &out->constants[j].value, 4);
      assert(usc + AGX_USC_UNIFORM_SIZE_B <= end && "runs of constants are few");
      usc = pack_uniforms(usc, start, 2 * run, va);
      i += run;
   }
   return usc;
}

/* What kinds of programs have in bits whose meaning nobody knows [seen in the recordings of src/asahi/lib]. */
static const struct {
   uint8_t shader_unk_10;
   bool registers_unk_13;
   uint8_t registers_unk_24;
} of_kind[AGX_PROGRAM_KINDS] = {
   [AGX_PROGRAM_PLAIN] = {3, false, 1},
   [AGX_PROGRAM_FRAGMENT] = {2, true, 1},
   [AGX_PROGRAM_TILE] = {0, false, 0},
};

void
agx_usc_shader_of(char *usc, enum agx_program_kind kind, uint32_t code_B)
{
   agx_usc_shader_pack(
      usc, &(struct agx_usc_shader){.loads_varyings = false, .unk_10 = of_kind[kind].shader_unk_10, .code = code_B});
}

/* Fragments may begin with the instructions that count them. */
static unsigned
registers_h(const struct agx_output *out, enum agx_program_kind kind)
{
   return kind == AGX_PROGRAM_FRAGMENT ? MAX2(out->registers_h, AGX_COUNTER_REGISTERS_H) : out->registers_h;
}

/* Offsets in the memory of a program, whose code is in front. */
struct places {
   uint32_t preamble_B, constants_B, data_B;
   uint32_t address_B; /* of the data's address */
   uint32_t counter_B; /* of the instructions that count; the end of all else */
};

static struct places
find_places(const struct agx_output *out)
{
   struct places at = {.preamble_B = (uint32_t)align_up(out->code_B, AGX_CODE_ALIGNMENT_B)};

   at.constants_B = at.preamble_B + (uint32_t)align_up(out->preamble ? out->preamble_B : 0, AGX_CODE_ALIGNMENT_B);
   at.data_B = (uint32_t)align_up(at.constants_B + 4 * out->constant_count, NIR_CONSTANT_ALIGN_B);
   at.address_B = at.data_B + (uint32_t)align_up(out->data_B, 8);
   at.counter_B = (uint32_t)align_up(at.address_B + 8, AGX_CODE_ALIGNMENT_B);
   return at;
}

static void
pack_list(struct agx_screen *screen, struct agx_stage_code *code, const struct agx_output *out,
          enum agx_program_kind kind, uint32_t shared, const struct places *places)
{
   char *usc = code->usc, *end = code->usc + sizeof(code->usc) - 32;

   if (out->data_B)
      usc = pack_uniforms(usc, out->data_h, 4, code->memory.va + places->address_B);
   usc = pack_constants(out, &code->memory, places->constants_B, usc, end);

   bool preamble = out->preamble && !mutant("agx-preamble-missing");

   if (mutant("agx-usc-order")) {
      agx_usc_no_preshader_pack(usc, &(struct agx_usc_no_preshader){0});
      usc += AGX_USC_NO_PRESHADER_SIZE_B;
   }
   if (out->sampler_states) {
      agx_usc_sampler_pack(usc, &(struct agx_usc_sampler){.count = 1, .buffer = screen->samplers.bo->va});
      usc += AGX_USC_SAMPLER_SIZE_B;
   }
   memcpy(usc, &shared, sizeof(shared));
   usc += AGX_USC_SHARED_SIZE_B;
   agx_usc_shader_of(usc, kind, code->code_B);
   usc += AGX_USC_SHADER_SIZE_B;
   agx_usc_registers_pack(usc, &(struct agx_usc_registers){.registers = registers_h(out, kind),
                                                           .unk_13 = of_kind[kind].registers_unk_13,
                                                           .spill_size = agx_scratch_bucket(out->scratch_B),
                                                           .unk_24 = of_kind[kind].registers_unk_24});
   usc += AGX_USC_REGISTERS_SIZE_B;
   code->usc_end_B = preamble ? AGX_USC_PRESHADER_SIZE_B : AGX_USC_NO_PRESHADER_SIZE_B;
   if (preamble)
      agx_usc_preshader_pack(usc, &(struct agx_usc_preshader){.unk_8 = 0xc08000, .code = code->preamble_B});
   else
      agx_usc_no_preshader_pack(usc, &(struct agx_usc_no_preshader){0});
   usc += code->usc_end_B;
   code->usc_B = (uint8_t)(usc - code->usc);
}

static void
pack_counts(struct agx_stage_code *code, const struct agx_output *out)
{
   unsigned uniforms = MAX2(out->uniforms_h, code->arguments.halves);

   assert(out->sampler_states <= 1 && "programs use the sampler of fetches and those of the heap");
   agx_counts_pack(&code->counts,
                   &(struct agx_counts){
                      .uniforms = uniforms,
                      .textures = out->texture_states,
                      .samplers = out->sampler_states ? AGX_SAMPLER_STATES_4_COMPACT : AGX_SAMPLER_STATES_0,
                      .preshader_registers = out->preamble_registers_h,
                   });
}

bool
agx_stage_code_init(struct agx_screen *screen, struct agx_stage_code *code, enum agx_program_kind kind,
                    const struct agx_arguments *arguments, const struct agx_output *out, uint32_t shared)
{
   const struct places at = find_places(out);

   if (out->scratch_B && !(code->scratch = agx_scratch_get(screen, out->scratch_B, MAX2(code->group_waves, 1u))))
      return false;
   code->arguments = *arguments;
   code->memory = aux_code_alloc(&screen->code, at.counter_B + (kind == AGX_PROGRAM_FRAGMENT ? AGX_COUNTER_B : 0));
   if (!code->memory.block)
      return false;
   code->code_B = code->memory.base_offset_B;
   memcpy(code->memory.map, out->code, out->code_B);
   if (out->preamble) {
      code->preamble_B = code->memory.base_offset_B + at.preamble_B;
      memcpy(code->memory.map + at.preamble_B, out->preamble, out->preamble_B);
   }
   if (out->data_B) {
      uint64_t va = code->memory.va + at.data_B;
      memcpy(code->memory.map + at.data_B, out->data, out->data_B);
      memcpy(code->memory.map + at.address_B, &va, sizeof(va));
   }
   if (kind == AGX_PROGRAM_FRAGMENT) {
      code->counter_B = code->memory.base_offset_B + at.counter_B;
      agx_counter_code(screen, code->counter_B, code->code_B, code->per_sample,
                       (uint8_t *)code->memory.map + at.counter_B);
   }
   pack_list(screen, code, out, kind, shared, &at);
   pack_counts(code, out);
   return true;
}

bool
agx_program_add_code(struct agx_screen *screen, struct agx_program *program, enum nir_stage stage,
                     const struct agx_arguments *arguments, const struct agx_output *out, uint32_t shared)
{
   const struct agx_stats *stats = &out->stats;
   struct agx_program_stage *to = &program->stages[agx_hw_stage(stage)];

   to->shaders |= 1u << stage;
   program->used_sets |= arguments->used_sets;
   to->stats = (struct pipe_shader_stats){
      .instructions = stats->instructions,
      .code_B = stats->code_B,
      .vgprs = stats->gprs,
      .sgprs = stats->uniforms,
      .spilled_vgprs = stats->spills,
      .scratch_B = out->scratch_B,
      .lds_B = out->local_B,
      .waves = stats->threads / 32,
      .valu = stats->alu,
      .loops = stats->loops,
      .preamble = stats->preamble_instructions,
      .code_hash = stats->hash,
   };
   const uint32_t *size = program->workgroup_size;
   to->code.group_waves = (uint32_t)div_round_up(size[0] * size[1] * size[2], 32);
   return agx_stage_code_init(screen, &to->code,
                              stage == NIR_STAGE_FRAGMENT ? AGX_PROGRAM_FRAGMENT : AGX_PROGRAM_PLAIN, arguments, out,
                              shared) &&
          agx_save_stage(program, stage, arguments, out, shared);
}

void
agx_program_free_code(struct agx_screen *screen, struct agx_program_stage *stage)
{
   aux_code_free(&screen->code, stage->code.memory);
   free(stage->texts.nir);
   free(stage->texts.machine_ir);
   free(stage->texts.assembly);
}

static void
program_destroy(struct pipe_screen *screen, struct pipe_program *pipe)
{
   struct agx_program *program = agx_program(pipe);

   for (unsigned i = 0; i < ARRAY_SIZE(program->stages); i++) {
      if (program->stages[i].linked)
         agx_shader_unref(agx_screen(screen), program->stages[i].linked);
      else
         agx_program_free_code(agx_screen(screen), &program->stages[i]);
   }
   agx_graphics_program_finish(agx_screen(screen), program);
   free(program);
}

static struct pipe_shader_info
program_shader_info(struct pipe_screen *screen, struct pipe_program *pipe, enum nir_stage stage)
{
   const struct agx_program_stage *hw = agx_program(pipe)->stages, *end = hw + ARRAY_SIZE(agx_program(pipe)->stages);

   while (hw < end && !(hw->shaders >> stage & 1))
      hw++;
   if (hw == end)
      return (struct pipe_shader_info){0};
   return (struct pipe_shader_info){
      .stats = hw->stats,
      .wave_size = 32,
      .nir = hw->texts.nir,
      .machine_ir = hw->texts.machine_ir,
      .assembly = hw->texts.assembly,
   };
}

void
agx_init_program(struct agx_screen *screen)
{
   screen->base.graphics_program_create = agx_graphics_program_create;
   screen->base.compute_program_create = agx_compute_program_create;
   screen->base.program_load = agx_program_load;
   screen->base.program_destroy = program_destroy;
   screen->base.program_shader_info = program_shader_info;
}
