#include "asahi/sim/usc/usc.h"

#include <string.h>

#include "asahi/sim/usc/read.h"
#include "asahi/sim/base/dump.h"
#include "asahi/sim/wave/wave.h"

#define MAX_RECORDS 256

/* A list being read. */
struct reader {
   const struct agx_gpu *gpu;
   struct agx_program *program;
   uint64_t va;    /* of the record */
   uint32_t found; /* bit (1 << tag's kind) */
   bool ends;
};

enum { FOUND_SHADER = 1, FOUND_REGISTERS = 2, FOUND_SHARED = 4, FOUND_PROPERTIES = 8 };

static bool
fail(const struct reader *reader, const char *what, unsigned number, unsigned limit)
{
   return sim_fault_set(reader->gpu->fault, SIM_FAULT_STATE, sim_va(reader->va),
                        "USC list at 0x%llx of a %s, record at 0x%llx: %s (%u of %u)",
                        (unsigned long long)reader->program->list.va, agx_stage_names[reader->program->stage],
                        (unsigned long long)reader->va, what, number, limit);
}

static bool
once(struct reader *reader, uint32_t kind, const char *name)
{
   if (reader->found & kind)
      return fail(reader, name, 2, 1);
   reader->found |= kind;
   return true;
}

static bool
read_uniforms(struct reader *reader, unsigned start, unsigned size, uint64_t buffer)
{
   struct agx_program *program = reader->program;
   if (start + size > program->uniform_halves)
      return fail(reader, "uniforms beyond those that the program has", start + size, program->uniform_halves);
   return agx_read_memory(reader->gpu, buffer, &program->uniforms[start], size * 2ull, "uniforms");
}

static bool
read_textures(struct reader *reader, const struct agx_usc_texture *texture)
{
   struct agx_program *program = reader->program;
   if (texture->start + texture->count > program->texture_count)
      return fail(reader, "texture states beyond those that the program has", texture->start + texture->count,
                  program->texture_count);
   for (unsigned i = texture->start; i < texture->start + texture->count; i++)
      program->textures_bound[i / 64] |= UINT64_C(1) << i % 64;
   return agx_read_memory(reader->gpu, texture->buffer, &program->textures[texture->start],
                          (uint64_t)texture->count * AGX_TEXTURE_SIZE_B, "texture states");
}

static bool
read_samplers(struct reader *reader, const struct agx_usc_sampler *sampler)
{
   struct agx_program *program = reader->program;
   uint64_t va = sampler->buffer;
   if (sampler->start + sampler->count > program->sampler_count)
      return fail(reader, "sampler states beyond those that the program has", sampler->start + sampler->count,
                  program->sampler_count);
   for (unsigned i = sampler->start; i < sampler->start + sampler->count; i++) {
      struct agx_sampler_state *state = &program->samplers[i];
      program->samplers_bound |= 1u << i;
      if (!agx_read_record(reader->gpu, agx_record(AGX_RECORD_SAMPLER), va, state->words))
         return false;
      va += AGX_SAMPLER_SIZE_B;
      if (!program->extended_samplers)
         continue;
      if (!agx_read_record(reader->gpu, agx_record(AGX_RECORD_BORDER), va, state->border))
         return false;
      va += AGX_BORDER_SIZE_B;
   }
   return true;
}

static bool
is_of_tile(enum agx_stage stage)
{
   return stage == AGX_STAGE_FRAGMENT || stage == AGX_STAGE_BACKGROUND || stage == AGX_STAGE_END_OF_TILE;
}

static bool
read_shared(struct reader *reader, const void *bytes)
{
   struct agx_program *program = reader->program;
   agx_usc_shared_unpack(&program->shared, bytes);
   bool plain = program->shared.layout == AGX_SHARED_LAYOUT_VERTEX_COMPUTE;
   /* A threadgroup of compute may have a tile of its own, and a render none: without colours. */
   if (plain ? is_of_tile(program->stage) && program->shared.uses_shared_memory
             : !is_of_tile(program->stage) && program->stage != AGX_STAGE_COMPUTE)
      return fail(reader, "USC_SHARED has the layout of another kind of program", program->shared.layout, 0);
   if (!is_of_tile(program->stage) && program->shared.uses_shared_memory)
      program->threadgroup_B = program->shared.threadgroup_B;
   return once(reader, FOUND_SHARED, "USC_SHARED stands there again");
}

static bool
read_record(struct reader *reader, enum agx_record_id id, const void *bytes)
{
   struct agx_program *program = reader->program;
   uint64_t base = reader->gpu->usc_base.va;
   if (id == AGX_RECORD_USC_UNIFORM) {
      struct agx_usc_uniform uniform;
      agx_usc_uniform_unpack(&uniform, bytes);
      return read_uniforms(reader, uniform.start, uniform.size, uniform.buffer);
   } else if (id == AGX_RECORD_USC_UNIFORM_HIGH) {
      struct agx_usc_uniform_high uniform;
      agx_usc_uniform_high_unpack(&uniform, bytes);
      return read_uniforms(reader, 256 + uniform.start, uniform.size, uniform.buffer);
   } else if (id == AGX_RECORD_USC_TEXTURE) {
      struct agx_usc_texture texture;
      agx_usc_texture_unpack(&texture, bytes);
      return read_textures(reader, &texture);
   } else if (id == AGX_RECORD_USC_SAMPLER) {
      struct agx_usc_sampler sampler;
      agx_usc_sampler_unpack(&sampler, bytes);
      return read_samplers(reader, &sampler);
   } else if (id == AGX_RECORD_USC_SHARED) {
      return read_shared(reader, bytes);
   } else if (id == AGX_RECORD_USC_SHADER) {
      struct agx_usc_shader shader;
      agx_usc_shader_unpack(&shader, bytes);
      program->code = sim_va(base + shader.code);
      program->loads_varyings = shader.loads_varyings;
      return once(reader, FOUND_SHADER, "USC_SHADER stands there again");
   } else if (id == AGX_RECORD_USC_REGISTERS) {
      struct agx_usc_registers registers;
      agx_usc_registers_unpack(&registers, bytes);
      program->registers = (uint16_t)registers.registers;
      program->spill_size = (uint8_t)registers.spill_size;
      return once(reader, FOUND_REGISTERS, "USC_REGISTERS stands there again");
   } else if (id == AGX_RECORD_USC_FRAGMENT_PROPERTIES) {
      agx_usc_fragment_properties_unpack(&program->fragment_properties, bytes);
      program->has_fragment_properties = true;
      return program->stage == AGX_STAGE_FRAGMENT
                ? once(reader, FOUND_PROPERTIES, "USC_FRAGMENT_PROPERTIES stands there again")
                : fail(reader, "USC_FRAGMENT_PROPERTIES is only of pixel programs", program->stage, 0);
   } else if (id == AGX_RECORD_USC_PRESHADER) {
      struct agx_usc_preshader preshader;
      agx_usc_preshader_unpack(&preshader, bytes);
      program->preamble = sim_va(base + preshader.code);
   }
   reader->ends = true; /* PRESHADER, NO_PRESHADER */
   return true;
}

static bool
read_list(struct reader *reader)
{
   const struct agx_gpu *gpu = reader->gpu;
   for (unsigned i = 0; i < MAX_RECORDS && !reader->ends; i++) {
      unsigned char tag, bytes[8];
      if (!agx_read_memory(gpu, reader->va, &tag, 1, "a USC list"))
         return false;
      const struct agx_sequence *sequence = agx_stream_find(&agx_stream_usc, tag);
      if (!sequence)
         return sim_fault_set(gpu->fault, SIM_FAULT_PACKET, sim_va(reader->va),
                              "USC list at 0x%llx: 0x%02x at 0x%llx begins no record that is known",
                              (unsigned long long)reader->program->list.va, tag, (unsigned long long)reader->va);
      if (!agx_read_record(gpu, sequence->head, reader->va, bytes) || !read_record(reader, sequence->head->id, bytes))
         return false;
      reader->va += sequence->head->size_B;
   }
   return reader->ends ? true : fail(reader, "the list does not end", MAX_RECORDS, MAX_RECORDS);
}

static unsigned
count_samplers(enum agx_sampler_states states)
{
   switch (states) {
   case AGX_SAMPLER_STATES_0:
      return 0;
   case AGX_SAMPLER_STATES_4_COMPACT:
      return 4;
   case AGX_SAMPLER_STATES_8_COMPACT:
   case AGX_SAMPLER_STATES_8_EXTENDED:
      return 8;
   case AGX_SAMPLER_STATES_12_COMPACT:
      return 12;
   case AGX_SAMPLER_STATES_16_COMPACT:
   case AGX_SAMPLER_STATES_16_EXTENDED:
      return 16;
   }
   return 0;
}

/* What nobody writes is what the last program left: anything. */
static void
fill_with_garbage(const struct agx_gpu *gpu, struct agx_program *program)
{
   for (unsigned i = 0; i < AGX_UNIFORMS; i += 4) {
      uint64_t random = sim_schedule_random(gpu->schedule.seed, program->list.va, i);
      memcpy(&program->uniforms[i], &random, sizeof(random));
   }
}

bool
agx_usc_read(const struct agx_gpu *gpu, const struct agx_usc_request *request, struct agx_program *program)
{
   uint64_t va = gpu->usc_base.va + request->offset_B;
   memset(program, 0, sizeof(*program));
   program->stage = request->stage;
   program->usc_base = gpu->usc_base;
   program->list = sim_va(va);
   program->preamble_registers = (uint16_t)request->preshader_registers;
   program->uniform_halves = (uint16_t)request->uniforms;
   program->texture_count = (uint16_t)request->textures;
   program->sampler_count = (uint16_t)count_samplers(request->samplers);
   program->extended_samplers =
      request->samplers == AGX_SAMPLER_STATES_8_EXTENDED || request->samplers == AGX_SAMPLER_STATES_16_EXTENDED;
   program->sampler_heap = gpu->sampler_heap;
   program->sampler_heap_count = gpu->sampler_heap_count;
   program->helper = request->helper;
   fill_with_garbage(gpu, program);

   struct reader reader = {.gpu = gpu, .program = program, .va = va};
   agx_dump_line(gpu->dump, "program %s", agx_stage_names[request->stage]);
   if (!read_list(&reader))
      return false;
   const uint32_t needed = FOUND_SHADER | FOUND_REGISTERS | FOUND_SHARED;
   if ((reader.found & needed) != needed)
      return fail(&reader, "the list lacks USC_SHADER, USC_REGISTERS or USC_SHARED", reader.found, needed);
   if (program->spill_size && !(program->helper.binary & 1))
      return fail(&reader, "USC_REGISTERS asks for private memory, and the command has no helper program for it",
                  program->spill_size, 0);
   if (!program->preamble.va)
      return true;
   return agx_wave_run_preamble(gpu->engine, gpu->vm, program, gpu->soft_faults, NULL, gpu->fault);
}
