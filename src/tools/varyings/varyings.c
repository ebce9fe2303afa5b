/* indium varyings: how a pair of shaders passes its values on AGX. */
#include "tools/varyings/varyings.h"

#include <stdio.h>
#include <string.h>

#include "compiler/nir/nir.h"
#include "compiler/nir/nir_passes.h"
#include "tools/indium.h"
#include "tools/shader/shader_source.h"
#include "util/macros.h"

struct request {
   struct shader_file files[2]; /* vertex, fragment */
   const char *topology, *plot;
   bool json;
};

static const struct {
   const char *name;
   enum pipe_topology topology;
} topologies[] = {{"points", PIPE_POINT_LIST},
                  {"lines", PIPE_LINE_LIST},
                  {"triangles", PIPE_TRIANGLE_LIST},
                  {"strip", PIPE_TRIANGLE_STRIP},
                  {"fan", PIPE_TRIANGLE_FAN}};

static bool
parse_topology(const char *name, enum pipe_topology *topology)
{
   for (unsigned i = 0; i < ARRAY_SIZE(topologies); i++) {
      if (!strcmp(name, topologies[i].name)) {
         *topology = topologies[i].topology;
         return true;
      }
   }
   return false;
}

/* 0, or 2 with a message. */
static int
parse_arguments(struct request *r, enum pipe_topology *topology, char **argv)
{
   int count = parse_options(&command_varyings, argv, r);
   unsigned files = 0;
   if (count < 0)
      return 2;
   for (int i = 0; i < count; i++) {
      struct shader_file *first = &r->files[0];
      bool macro = !strncmp(argv[i], "-D", 2);
      if (macro && (!argv[i][2] || first->macro_count == SHADER_MAX_MACROS))
         return usage_error("varyings", "-D takes a name, up to %d times", SHADER_MAX_MACROS);
      if (macro)
         first->macros[first->macro_count++] = argv[i];
      else if (files == 2)
         return usage_error("varyings", "two files, not %s too", argv[i]);
      else
         r->files[files++].path = argv[i];
   }
   if (files < 2)
      return usage_error("varyings", "name a vertex shader and a fragment shader");
   if (!parse_topology(r->topology, topology))
      return usage_error("varyings", "--topology takes points, lines, triangles, strip or fan, not %s", r->topology);
   memcpy(r->files[1].macros, r->files[0].macros, sizeof(r->files[0].macros));
   r->files[1].macro_count = r->files[0].macro_count;
   return 0;
}

/* NULL after a message. */
static struct nir_shader *
load(struct arena *arena, const struct shader_file *file, enum nir_stage stage)
{
   struct shader_source source;
   const char *error = NULL;
   struct nir_shader *nir =
      shader_source_load(arena, file, &source, &error) ? shader_source_translate(arena, &source, &error) : NULL;
   if (!nir || nir->stage != stage) {
      usage_error("varyings", "%s: %s", file->path, nir || !error ? "is not a shader of the right stage" : error);
      return NULL;
   }
   nir_gather_info(nir);
   nir_lower_variables(nir);
   nir_optimize(nir);
   return nir;
}

/* 0, or 1 with a message. */
static int
link_view(struct varyings_view *view, struct nir_shader *const shaders[2], enum pipe_topology topology)
{
   const struct agx_primitives prims = {.topology = topology};
   struct agx_vertex_outputs outputs;
   struct agx_fragment_reads reads;
   struct agx_varyings whole;
   agx_nir_gather_vertex_outputs(shaders[0], &outputs);
   agx_nir_gather_fragment_reads(shaders[1], &reads);
   bool ok = !reads.error && agx_varyings_link(&view->link, &outputs, &reads, prims);
   if (!ok) {
      fprintf(stderr, "indium varyings: %s\n", reads.error ? reads.error : "more varyings than the hardware has");
      return 1;
   }
   view->frag_coord_z = reads.frag_coord_z;
   memcpy(view->interp, reads.interp, sizeof(view->interp));
   view->interp[AGX_SLOT_CORNER] = NIR_INTERP_FLAT;
   outputs.half = reads.half = (struct agx_slot_masks){0};
   agx_varyings_link(&whole, &outputs, &reads, prims);
   view->words_32 = whole.vertex.words;
   for (unsigned slot = NIR_SLOT_VAR0; slot <= NIR_SLOT_VAR31; slot++)
      outputs.half.slot[slot] = outputs.components.slot[slot];
   agx_varyings_link(&whole, &outputs, &reads, prims);
   view->words_16 = whole.vertex.words;
   return 0;
}

static int
varyings_main(int argc, char **argv)
{
   struct request r = {.topology = "triangles"};
   enum pipe_topology topology = PIPE_TRIANGLE_LIST;
   int status = parse_arguments(&r, &topology, argv);
   if (status)
      return status;
   struct arena arena = {0};
   struct nir_shader *shaders[2] = {NULL, NULL};
   static const enum nir_stage stages[2] = {NIR_STAGE_VERTEX, NIR_STAGE_FRAGMENT};
   for (unsigned i = 0; i < 2 && !status; i++) {
      r.files[i].stage = NIR_STAGES;
      shaders[i] = load(&arena, &r.files[i], stages[i]);
      status = shaders[i] ? 0 : 2;
   }
   struct varyings_view view;
   status = status ? status : link_view(&view, shaders, topology);
   arena_free(&arena);
   if (status)
      return status;
   if (r.json)
      varyings_print_json(&view);
   else
      varyings_print(&view);
   return r.plot && !varyings_plot(&view, r.plot) ? 2 : 0;
}

static const struct option options[] = {
   {"--topology", "points|lines|triangles|strip|fan", offsetof(struct request, topology),
    "the primitives drawn; default triangles"},
   {"--json", NULL, offsetof(struct request, json), "print JSON"},
   {"--plot", "FILE.svg|FILE.png", offsetof(struct request, plot), "draw words, slots and registers"},
   {"-D", "MACRO[=VALUE]", 0, "a macro for GLSL, for both files"},
   {0},
};

const struct command command_varyings = {
   .name = "varyings",
   .purpose = "prints how a vertex and a fragment shader pass values on AGX, draws it",
   .synopsis = {"VERTEX FRAGMENT [OPTION]..."},
   .text = "Links two shaders (FILE.vert and FILE.frag in GLSL, FILE.spv or FILE.nir) as the driver of Apple's "
           "GPUs does. Prints the contents of each word of a vertex, its slot after the remapper, and the "
           "coefficient register that the fragment program reads; then the counts of the state words, the "
           "bindings, and how many words are saved by packing 16-bit values in pairs.",
   .options = options,
   .run = varyings_main,
};
