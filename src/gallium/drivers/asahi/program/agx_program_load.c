/* Programs as bytes: what agx_program_add_code() got for each stage, and the words of draws. */
#include <stdlib.h>
#include <string.h>

#include "gallium/drivers/asahi/program/agx_graphics_program.h"
#include "util/dynarray.h"
#include "util/macros.h"
#include "util/within_memory.h"

struct head {
   uint32_t point, workgroup_size[3];
   uint32_t num_stages, has_graphics, binding_words;
   uint32_t size_B; /* of all */
};

/* After it its code, preamble, data and constants, each from a multiple of 8 bytes on. */
struct saved_stage {
   uint32_t stage, shared, per_sample, has_preamble;
   struct agx_arguments arguments;
   struct agx_output out; /* without pointers */
};

struct agx_saving {
   struct pipe_saved_program *save;
   struct dynarray bytes;
   uint32_t num_stages;
};

/* ---- to bytes ---- */

static void
put(struct dynarray *bytes, const void *from, size_t size_B)
{
   char *to = dynarray_grow(bytes, align_up(size_B, 8));

   memset(to, 0, align_up(size_B, 8));
   if (size_B)
      memcpy(to, from, size_B);
}

bool
agx_saving_begin(struct agx_program *program, struct pipe_saved_program *save)
{
   if (!save)
      return true;
   program->saving = calloc(1, sizeof(*program->saving));
   if (program->saving)
      program->saving->save = save;
   return program->saving;
}

struct addition {
   const struct agx_program *program;
   enum nir_stage stage;
   const struct agx_arguments *arguments;
   const struct agx_output *out;
   uint32_t shared;
};

static void
put_stage(void *data)
{
   const struct addition *a = data;
   const struct agx_output *out = a->out;
   struct dynarray *bytes = &a->program->saving->bytes;
   struct saved_stage saved;

   memset(&saved, 0, sizeof(saved));
   saved.stage = a->stage;
   saved.shared = a->shared;
   saved.per_sample = a->program->stages[agx_hw_stage(a->stage)].code.per_sample;
   saved.has_preamble = out->preamble != NULL;
   memcpy(&saved.arguments, a->arguments, sizeof(saved.arguments));
   memcpy(&saved.out, out, sizeof(saved.out));
   saved.out.code = saved.out.preamble = saved.out.data = NULL;
   saved.out.constants = NULL;
   saved.out.listing = saved.out.ir = NULL;
   put(bytes, &saved, sizeof(saved));
   put(bytes, out->code, out->code_B);
   put(bytes, out->preamble, out->preamble ? out->preamble_B : 0);
   put(bytes, out->data, out->data_B);
   put(bytes, out->constants, out->constant_count * sizeof(*out->constants));
   a->program->saving->num_stages++;
}

bool
agx_save_stage(const struct agx_program *program, enum nir_stage stage, const struct agx_arguments *arguments,
               const struct agx_output *out, uint32_t shared)
{
   struct addition a = {program, stage, arguments, out, shared};

   return !program->saving || within_memory(put_stage, &a);
}

/* All together: head, words of draws, bindings, stages. */
static void
put_program(void *data)
{
   const struct agx_program *program = data;
   struct agx_saving *saving = program->saving;
   struct agx_graphics_program *g = program->graphics;
   struct dynarray bytes = {0};
   struct owned owned;
   struct head head = {
      .point = program->point,
      .num_stages = saving->num_stages,
      .has_graphics = g != NULL,
      .binding_words = g && g->cf_bindings.block ? 1 + g->cf_bindings_count : 0,
   };

   memcpy(head.workgroup_size, program->workgroup_size, sizeof(head.workgroup_size));
   own(&owned, dynarray_release, &bytes);
   put(&bytes, &head, sizeof(head));
   if (g) {
      struct agx_graphics_program words;

      memcpy(&words, g, sizeof(words));
      memset(&words.cf_bindings, 0, sizeof(words.cf_bindings));
      put(&bytes, &words, sizeof(words));
      put(&bytes, g->cf_bindings.map, 4 * (size_t)head.binding_words);
   }
   put(&bytes, saving->bytes.data, saving->bytes.size_B);
   ((struct head *)bytes.data)->size_B = (uint32_t)bytes.size_B;
   *saving->save = (struct pipe_saved_program){bytes.data, bytes.size_B};
   bytes = (struct dynarray){0};
   disown(&owned);
}

bool
agx_saving_end(struct agx_program *program, bool succeeded)
{
   struct agx_saving *saving = program->saving;

   if (!saving)
      return true;
   bool saved = succeeded && within_memory(put_program, program);

   dynarray_free(&saving->bytes);
   free(saving);
   program->saving = NULL;
   return saved;
}

/* ---- from bytes ---- */

struct reader {
   const char *next, *end;
};

/* NULL: not all of it is there. */
static const void *
read_bytes(struct reader *r, size_t size_B)
{
   const char *from = r->next;

   if ((size_t)(r->end - r->next) < align_up(size_B, 8))
      return NULL;
   r->next += align_up(size_B, 8);
   return from;
}

static enum pipe_result
load_stage(struct agx_screen *screen, struct agx_program *program, struct reader *r)
{
   const struct saved_stage *saved = read_bytes(r, sizeof(*saved));

   if (!saved || saved->stage >= NIR_STAGES)
      return PIPE_UNSUPPORTED;
   struct agx_program_stage *stage = &program->stages[agx_hw_stage((enum nir_stage)saved->stage)];
   struct agx_output out = saved->out;

   out.code = read_bytes(r, out.code_B);
   out.preamble = read_bytes(r, saved->has_preamble ? out.preamble_B : 0);
   out.data = read_bytes(r, out.data_B);
   out.constants = read_bytes(r, out.constant_count * sizeof(*out.constants));
   if (!out.code || !out.preamble || !out.data || !out.constants || stage->shaders)
      return PIPE_UNSUPPORTED;
   if (!saved->has_preamble)
      out.preamble = NULL;
   stage->code.per_sample = saved->per_sample;
   return agx_program_add_code(screen, program, (enum nir_stage)saved->stage, &saved->arguments, &out, saved->shared)
             ? PIPE_OK
             : PIPE_OUT_OF_DEVICE_MEMORY;
}

static enum pipe_result
load_graphics(struct agx_screen *screen, struct agx_program *program, const struct head *head, struct reader *r)
{
   const struct agx_graphics_program *saved = read_bytes(r, sizeof(*saved));
   const void *bindings = read_bytes(r, 4 * (size_t)head->binding_words);

   if (!saved || !bindings || saved->num_attributes > PIPE_MAX_VERTEX_ATTRIBUTES)
      return PIPE_UNSUPPORTED;
   struct agx_graphics_program *g = program->graphics = malloc(sizeof(*g));

   if (!g)
      return PIPE_OUT_OF_HOST_MEMORY;
   memcpy(g, saved, sizeof(*g));
   memset(&g->cf_bindings, 0, sizeof(g->cf_bindings));
   memset(&g->link, 0, sizeof(g->link));
   if (!head->binding_words)
      return PIPE_OK;
   g->cf_bindings = aux_code_upload(&screen->code, bindings, 4 * head->binding_words);
   return g->cf_bindings.block ? PIPE_OK : PIPE_OUT_OF_DEVICE_MEMORY;
}

static enum pipe_result
load(struct agx_screen *screen, struct agx_program *program, const struct head *head, struct reader *r)
{
   enum pipe_result result = PIPE_OK;

   program->point = (enum pipe_bind_point)head->point;
   memcpy(program->workgroup_size, head->workgroup_size, sizeof(head->workgroup_size));
   if (head->has_graphics)
      result = load_graphics(screen, program, head, r);
   for (uint32_t i = 0; i < head->num_stages && result == PIPE_OK; i++)
      result = load_stage(screen, program, r);
   return result == PIPE_OK && r->next != r->end ? PIPE_UNSUPPORTED : result;
}

enum pipe_result
agx_program_load(struct pipe_screen *pipe, const void *bytes, size_t size_B, struct pipe_program **out)
{
   struct reader r = {bytes, (const char *)bytes + size_B};
   const struct head *head = read_bytes(&r, sizeof(*head));

   *out = NULL;
   if (!head || head->size_B != size_B || head->point >= PIPE_BIND_POINTS ||
       head->has_graphics != (head->point == PIPE_BIND_GRAPHICS))
      return PIPE_UNSUPPORTED;
   struct agx_program *program = calloc(1, sizeof(*program));

   if (!program)
      return PIPE_OUT_OF_HOST_MEMORY;
   enum pipe_result result = load(agx_screen(pipe), program, head, &r);

   if (result == PIPE_OK)
      *out = agx_program_handle(program);
   else
      pipe->program_destroy(pipe, agx_program_handle(program));
   return result;
}
