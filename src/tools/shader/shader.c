/* indium shader: compiles one shader and prints what it became. */
#include "tools/indium.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "amd/compiler/aco_target.h"
#include "amd/hw/chips.h"
#include "asahi/hw/chips.h"
#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "gallium/drivers/asahi/agx_shader_standalone.h"
#include "gallium/drivers/radeonsi/si_shader_standalone.h"
#include "util/arena.h"
#include "util/macros.h"
#include "tools/shader/shader_agx.h"
#include "tools/shader/shader_source.h"
#include "util/read_file.h"

enum {
   TIMED = 5, /* compilations */
};

struct request {
   struct shader_file file;
   const char *gpu, *print, *after, *wave, *stage_name;
   unsigned wave_size; /* 0: the driver's */
   bool layers;
};

static bool
wanted(const struct request *request, const char *part)
{
   size_t length = strlen(part);
   for (const char *at = request->print; (at = strstr(at, part)); at += length) {
      if ((at == request->print || at[-1] == ',') && (at[length] == 0 || at[length] == ','))
         return true;
   }
   return false;
}

/* Every name of a list such as "asm,stats" is a part that there is. */
static bool
are_parts(const char *print)
{
   static const char *const parts[] = {"nir", "ir", "asm", "code", "stats", "time"};
   for (const char *at = print;; at++) {
      size_t length = strcspn(at, ",");
      bool known = false;
      for (unsigned i = 0; i < ARRAY_SIZE(parts); i++)
         known |= strlen(parts[i]) == length && !strncmp(at, parts[i], length);
      if (!known)
         return false;
      at += length;
      if (!*at)
         return true;
   }
}

/* One line: the words of the instructions. */
static void
print_code(const struct aco_output *out)
{
   printf("code");
   for (unsigned i = 0; i < out->exec_dw; i++)
      printf(" %08x", out->code[i]);
   printf("\n");
}

static void
print_stats(const struct aco_output *out)
{
   const struct aco_stats *s = &out->stats;
   printf("instructions %u (%u valu, %u salu, %u smem, %u vmem, %u lds, %u branches, %u copies, %u pairs)\n",
          s->instructions, s->valu, s->salu, s->smem, s->vmem, s->lds, s->branches, s->copies, s->pairs);
   printf("code %u B, %u SGPRs, %u VGPRs, spills %u SGPRs and %u VGPRs, scratch %u B, LDS %u B, %u waves\n",
          s->code_B, s->sgprs, s->vgprs, s->spilled_sgprs, s->spilled_vgprs, out->scratch_B, out->lds_B, s->waves);
   printf("hash %016" PRIx64 "\n", s->hash);
}

/* A text of nir is what the back end gets: the arguments are the driver's, nothing is lowered any more. */
static bool
compile_lowered(struct arena *arena, const struct aco_stage *stage, const struct si_shader_options *options,
                struct aco_output *out, const char **error)
{
   struct aco_stage own = *stage;
   struct aco_options aco = options->aco;
   aco.listing = options->texts != NULL;
   aco.ps.col_format = 0x99999999; /* as its outputs are */
   own.args.num_user_sgprs = 24;   /* it may read more than the driver passes */
   return aco_compile(arena, &own, &aco, out, error);
}

static void
print_parts(const struct request *request, const char *nir, const struct aco_output *out)
{
   if (nir && wanted(request, "nir"))
      printf("%s", nir);
   if (wanted(request, "ir"))
      printf("%s", out->ir);
   if (wanted(request, "code"))
      print_code(out);
   if (wanted(request, "asm"))
      printf("%s", out->listing);
   if (wanted(request, "stats"))
      print_stats(out);
}

/* texts: NULL for the driver's way, without checks. */
static bool
compile_source(struct arena *arena, const struct request *request, const struct shader_source *source,
               struct nir_shader *nir, const struct amd_chip *chip, struct si_shader_texts *texts,
               struct aco_output *out, const char **error)
{
   /* size: the request, and four results */
   if (source->aco) {
      const struct aco_options printed = {.listing = texts != NULL, .print_ir = texts ? request->after : NULL};
      return aco_compile_text(arena, source->data, &printed, out, error);
   }
   struct aco_stage stage;
   struct si_shader_options *options = si_shader_standalone_options(chip, nir, &stage);
   options->texts = texts;
   options->aco.validate = texts != NULL;
   options->aco.print_ir = texts ? request->after : NULL;
   options->aco.ps.intrawave_loop = request->layers;
   if (request->wave_size)
      options->aco.wave_size = request->wave_size;
   return source->nir ? compile_lowered(arena, &stage, options, out, error)
                      : si_shader_try_compile(arena, &stage, options, out, error);
}

static uint64_t
processor_time_ns(void)
{
   struct timespec t;
   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Of a source that compiles. */
static void
print_time(const struct request *request, const struct shader_source *source, const struct amd_chip *chip)
{
   uint64_t least_ns = UINT64_MAX;
   for (unsigned i = 0; i < TIMED; i++) {
      struct arena arena = {0};
      struct aco_output out;
      const char *error;
      uint64_t start_ns = processor_time_ns();
      struct nir_shader *nir = shader_source_translate(&arena, source, &error);
      compile_source(&arena, request, source, nir, chip, NULL, &out, &error);
      least_ns = MIN2(least_ns, processor_time_ns() - start_ns);
      arena_free(&arena);
   }
   printf("time %.1f us\n", (double)least_ns / 1000);
}

static int
compile(struct arena *arena, const struct request *request, const struct amd_chip *chip)
{
   const char *error = NULL;
   struct shader_source source;
   struct nir_shader *nir = shader_source_load(arena, &request->file, &source, &error)
                               ? shader_source_translate(arena, &source, &error)
                               : NULL;
   if (!nir && !(source.aco && source.data))
      return usage_error("shader", "%s: %s", request->file.path, error ? error : "cannot be translated");
   struct si_shader_texts texts = {0};
   struct aco_output out;
   if (source.nir && wanted(request, "nir"))
      nir_print(nir, stdout);
   bool ok = compile_source(arena, request, &source, nir, chip, &texts, &out, &error);
   if (ok)
      print_parts(request, texts.nir, &out);
   else
      fprintf(stderr, "indium shader: %s: %s\n", request->file.path, error);
   if (ok && wanted(request, "time"))
      print_time(request, &source, chip);
   free(texts.nir);
   free(texts.machine_ir);
   free(texts.assembly);
   return ok ? 0 : source.aco ? 2 : 1;
}

/* For Apple's GPUs. nir is what a driver has lowered already. */
static int
compile_agx(struct arena *arena, const struct request *request)
{
   const char *error = NULL;
   struct shader_source source;
   if (!shader_source_load(arena, &request->file, &source, &error))
      return usage_error("shader", "%s: %s", request->file.path, error);
   struct nir_shader *nir = shader_source_translate(arena, &source, &error);
   if (!nir && !source.agx)
      return usage_error("shader", "%s: %s", request->file.path, error);
   if (nir && wanted(request, "nir"))
      nir_print(nir, stdout);
   struct agx_output out;
   const bool ok =
      source.nir || source.agx
         ? shader_agx_compile(arena, nir, source.data, request->after, &out, &error)
         : agx_shader_standalone_compile(arena, agx_chip_by_name(request->gpu), nir, request->after, &out, &error);
   if (!ok) {
      fprintf(stderr, "indium shader: %s: %s\n", request->file.path, error);
      return source.agx ? 2 : 1;
   }
   if (wanted(request, "ir"))
      printf("%s", out.ir);
   if (wanted(request, "code"))
      shader_agx_print_code(&out);
   if (wanted(request, "asm"))
      printf("%s", out.listing);
   if (wanted(request, "stats"))
      shader_agx_print_stats(&out);
   return 0;
}

static bool
is_for_agx(const struct request *request)
{
   return !strcmp(shader_extension(request->file.path), "agx") || (request->gpu && agx_chip_by_name(request->gpu));
}

/* 0, or 2 with a message. */
static int
parse_arguments(struct request *request, char **argv)
{
   int count = parse_options(&command_shader, argv, request);
   if (count < 0)
      return 2;
   for (int i = 0; i < count; i++) {
      bool macro = !strncmp(argv[i], "-D", 2);
      if (macro && (!argv[i][2] || request->file.macro_count == SHADER_MAX_MACROS))
         return usage_error("shader", "-D takes a name, up to %d times", SHADER_MAX_MACROS);
      if (macro)
         request->file.macros[request->file.macro_count++] = argv[i];
      else if (request->file.path)
         return usage_error("shader", "one file, not %s too", argv[i]);
      else
         request->file.path = argv[i];
   }
   if (!request->file.path)
      return usage_error("shader", "name a file");
   bool any = request->gpu || request->wave || request->stage_name || request->layers || request->file.macro_count;
   const char *kind = shader_extension(request->file.path);
   if (any && (!strcmp(kind, "aco") || !strcmp(kind, "agx")))
      return usage_error("shader", "%s names its own target: only --print and --after apply", request->file.path);
   enum nir_stage named;
   const bool glsl = shader_stage_of_name(kind, &named);
   if (is_for_agx(request) && (request->wave || request->layers))
      return usage_error("shader", "--wave and --layers are for AMD's chips, not for %s", request->gpu);
   if (glsl && request->stage_name)
      return usage_error("shader", "the name of %s gives its stage: --stage does not apply", request->file.path);
   if (!glsl && request->file.macro_count)
      return usage_error("shader", "-D is for GLSL, not for %s", request->file.path);
   if (request->wave && strcmp(request->wave, "32") && strcmp(request->wave, "64"))
      return usage_error("shader", "--wave takes 32 or 64, not %s", request->wave);
   if (request->stage_name && !shader_stage_of_name(request->stage_name, &request->file.stage))
      return usage_error("shader", "--stage takes vert, tesc, tese, geom, frag or comp, not %s", request->stage_name);
   if (is_for_agx(request) ? !agx_has_phases(request->after) : !aco_has_phases(request->after))
      return usage_error("shader", "--after takes phases of the compiler, not %s", request->after);
   if (!are_parts(request->print))
      return usage_error("shader", "--print takes nir, ir, asm, code, stats, time, not %s", request->print);
   if (is_for_agx(request) && wanted(request, "time"))
      return usage_error("shader", "--print time is for AMD's chips, not for %s", request->gpu ? request->gpu : kind);
   request->wave_size = request->wave ? (unsigned)atoi(request->wave) : 0;
   request->gpu = request->gpu ? request->gpu : "navi21";
   request->file.chip = request->gpu;
   request->file.wave_size = request->wave_size;
   return 0;
}

static int
shader_main(int argc, char **argv)
{
   struct request request = {.print = "asm,stats", .after = "selection", .file.stage = NIR_STAGES};
   int status = parse_arguments(&request, argv);
   if (status)
      return status;
   struct arena arena = {0};
   if (is_for_agx(&request)) {
      status = compile_agx(&arena, &request);
      arena_free(&arena);
      return status;
   }
   const struct amd_chip *chip = amd_chip_by_name(request.gpu);
   if (!chip)
      return usage_error("shader", "there is no chip %s", request.gpu);
   if (!aco_target(chip->gen)->compiles)
      return usage_error("shader", "the compiler does not have %s's generation yet", request.gpu);
   if (!si_shader_standalone_has(chip))
      return usage_error("shader", "the driver does not have %s yet", request.gpu);
   status = compile(&arena, &request, chip);
   arena_free(&arena);
   return status;
}

static const struct option options[] = {
   {"--gpu", "CHIP", offsetof(struct request, gpu), "the chip to compile for, one of indium gpus; default navi21"},
   {"--print", "nir|ir|asm|code|stats|time", offsetof(struct request, print),
    "what to print, several parts with commas between them; default asm,stats. time: the least processor time of "
    "several compilations without checks, from SPIR-V or nir to code; AMD's chips only"},
   {"--after", "PHASE[,PHASE]...", offsetof(struct request, after),
    "the compiler phases after which ir is printed (docs/aco.md and docs/agx.md list their names); default "
    "selection, or the phase after which the file was printed"},
   {"--wave", "32|64", offsetof(struct request, wave), "invocations in a wave; default the driver's choice"},
   {"--stage", "vert|tesc|tese|geom|frag|comp", offsetof(struct request, stage_name),
    "the stage, if the file's name does not give it"},
   {"--layers", NULL, offsetof(struct request, layers),
    "run an ordered section once for each layer of overlapping quads in the wave"},
   {"-D", "MACRO[=VALUE]", 0, "a macro for GLSL"},
   {0},
};

const struct command command_shader = {
   .name = "shader",
   .purpose = "compiles one shader: its nir, assembly and statistics",
   .synopsis = {"FILE.spv|.vert|.tesc|.tese|.geom|.frag|.comp|.nir [OPTION]...",
                "FILE.aco|.agx [--print PARTS] [--after PHASE]"},
   .text = "Compiles a shader for a chip as the driver does and prints the requested parts. GLSL goes through "
           "glslangValidator with the macros. What the shader does not determine (sets, attributes, "
           "targets) is as in the driver's si_shader_standalone.h or agx_shader_standalone.h.\n\n"
           "FILE.aco contains printed ir: the later phases run on it and give the same code. It names its chip's "
           "generation and its wave size. FILE.agx is the same for Apple's GPUs.",
   .options = options,
   .run = shader_main,
};
