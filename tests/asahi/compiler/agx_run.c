#include "agx_run.h"

#include <stdlib.h>
#include <string.h>

#include "util/macros.h"

#define PAGE_B 16384
#define USC_VA UINT64_C(0x1100000000)
#define IN_VA UINT64_C(0x2000000000)
#define OUT_VA UINT64_C(0x2100000000)

static uint8_t *
pages(struct sim_vm *vm, uint64_t va, uint32_t size_B, unsigned access)
{
   const size_t whole_B = align_up(size_B, PAGE_B);
   uint8_t *memory = aligned_alloc(PAGE_B, whole_B);
   memset(memory, 0, whole_B);
   if (!sim_vm_map(vm, sim_va(va), whole_B, memory, access))
      abort();
   return memory;
}

static uint32_t
preamble_at(const struct agx_output *program)
{
   return (uint32_t)align_up(program->code_B, 128);
}

static uint32_t
data_at(const struct agx_output *program)
{
   return (uint32_t)align_up(preamble_at(program) + program->preamble_B, 128);
}

struct agx_run
agx_run_open(uint32_t in_B, uint32_t out_B, const struct agx_output *program)
{
   struct agx_run run = {.vm = sim_vm_create(), .in_B = in_B, .out_B = out_B};
   run.in = pages(run.vm, IN_VA, in_B, SIM_READ | SIM_WRITE);
   run.out = pages(run.vm, OUT_VA, out_B, SIM_READ | SIM_WRITE);
   run.code = pages(run.vm, USC_VA, data_at(program) + program->data_B, SIM_READ | SIM_EXECUTE);
   memcpy(run.code, program->code, program->code_B);
   if (program->preamble)
      memcpy(run.code + preamble_at(program), program->preamble, program->preamble_B);
   if (program->data_B)
      memcpy(run.code + data_at(program), program->data, program->data_B);
   return run;
}

void
agx_run_close(struct agx_run *run)
{
   sim_vm_destroy(run->vm);
   free(run->in);
   free(run->out);
   free(run->code);
}

static void
bind_word(struct agx_program *program, unsigned half, uint32_t value)
{
   program->uniforms[half] = (uint16_t)value;
   program->uniforms[half + 1] = (uint16_t)(value >> 16);
}

static void
bind_buffer(struct agx_program *program, unsigned half, uint64_t va, uint32_t size_B)
{
   bind_word(program, half, (uint32_t)va);
   bind_word(program, half + 2, (uint32_t)(va >> 32));
   bind_word(program, half + 4, size_B);
}

bool
agx_run(struct agx_run *run, struct agx_wave_engine *engine, const struct agx_output *out, uint32_t threads,
        struct sim_fault *fault)
{
   struct agx_program program = {
      .stage = AGX_STAGE_COMPUTE,
      .usc_base = sim_va(USC_VA),
      .code = sim_va(USC_VA),
      .registers = (uint16_t)align_up(MAX2(out->registers_h, 1), 8),
      .preamble_registers = (uint16_t)align_up(MAX2(out->preamble_registers_h, 1), 16),
      .threadgroup_B = out->local_B,
      .uniform_halves = (uint16_t)align_up(MAX2(out->uniforms_h, AGX_RANDOM_UNIFORMS_H), 64),
      .spill_size = out->scratch_B || out->preamble_scratch_B,
   };
   for (unsigned i = 0; i < AGX_UNIFORMS; i++)
      program.uniforms[i] = (uint16_t)(0xdead + 7 * i); /* garbage, the same each time */
   bind_buffer(&program, AGX_RANDOM_IN_H, IN_VA, run->in_B);
   bind_buffer(&program, AGX_RANDOM_OUT_H, OUT_VA, run->out_B);
   for (unsigned i = 0; i < out->constant_count; i++)
      bind_word(&program, out->constants[i].uniform, out->constants[i].value);
   if (out->data_B) {
      bind_word(&program, out->data_h, (uint32_t)(USC_VA + data_at(out)));
      bind_word(&program, out->data_h + 2, (uint32_t)((USC_VA + data_at(out)) >> 32));
   }
   if (out->preamble) {
      program.preamble = sim_va(USC_VA + preamble_at(out));
      if (!agx_wave_run_preamble(engine, run->vm, &program, true, "test", fault))
         return false;
   }
   struct agx_wave_launch launch = {.program = &program, .name = "test", .vm = run->vm, .soft_faults = true};
   return agx_wave_set_grid(&launch, (uint32_t[]){threads, 1, 1}, (uint32_t[]){threads, 1, 1}) &&
          agx_wave_run(engine, &launch, fault);
}
