/* What varying_pairs (tests/vulkan) must draw, by the reference interpreter and the formulas of the Vulkan
 * specification: the same folder, the same file. Texels next to the edge of a clip distance are no numbers. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/nir/nir_interp.h"
#include "compiler/nir/nir_passes.h"
#include "compiler/spirv/spirv_to_nir.h"
#include "util/half.h"
#include "util/macros.h"

enum { SIZE_PX = 16, VERTICES = 3, MOST_WORDS = 1 << 16, PIXELS = SIZE_PX * SIZE_PX };

/* An input component, as the fragment shader asks for it. */
struct input {
   unsigned slot, component, bits;
   enum nir_interp interp;
   bool sample;
   double offset[2]; /* from the middle of the pixel */
};

struct pair {
   struct arena arena;
   struct nir_shader *vertex, *fragment;
   uint32_t (*vertices)[NIR_SLOT_COUNT][4];
   double position[VERTICES][4];
   unsigned first, samples; /* first: of the triangle's vertices, the API's */
   struct input inputs[256];
   unsigned num_inputs;
};

static const double sample_at[5][4][2] = {
   [1] = {{0.5, 0.5}}, [4] = {{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}}};

static void
give_up(const char *what, const char *why)
{
   fprintf(stderr, "varying_reference: %s: %s\n", what, why);
   exit(1);
}

static struct nir_shader *
load(struct arena *arena, const char *folder, unsigned number, const char *stage, enum nir_stage nir_stage)
{
   static uint32_t words[MOST_WORDS];
   char path[1000];
   const char *error = NULL;

   snprintf(path, sizeof(path), "%s/%u.%s.spv", folder, number, stage);
   FILE *file = fopen(path, "rb");
   size_t count = file ? fread(words, 4, MOST_WORDS, file) : 0;

   if (!count)
      give_up(path, "cannot be read");
   fclose(file);
   const struct spirv_options options = {.stage = nir_stage, .features = SPIRV_FEATURE_ALL};
   struct nir_shader *shader = spirv_to_nir(arena, words, count, &options, &error);

   if (!shader)
      give_up(path, error);
   nir_gather_info(shader);
   nir_lower_variables(shader);
   return shader;
}

static void
add_inputs(struct pair *p, const struct nir_intrinsic_instr *load)
{
   bool flat = load->op == NIR_INTRINSIC_load_input;
   const struct nir_intrinsic_instr *place = flat ? NULL : nir_as_intrinsic(load->src[0].def->parent);
   unsigned slot = nir_intrinsic_slot(load) + (unsigned)nir_src_comp_as_uint(load->src[flat ? 0 : 1], 0);

   for (unsigned i = 0; i < load->def.num_components && p->num_inputs < ARRAY_SIZE(p->inputs); i++) {
      p->inputs[p->num_inputs] =
         (struct input){.slot = slot,
                        .component = nir_intrinsic_component(load) + i,
                        .bits = load->def.bit_size,
                        .interp = flat ? NIR_INTERP_FLAT : (enum nir_interp)nir_intrinsic_interp(place),
                        .sample = place && place->op == NIR_INTRINSIC_load_barycentric_sample};
      for (unsigned k = 0; place && place->op == NIR_INTRINSIC_load_barycentric_at_offset && k < 2; k++)
         p->inputs[p->num_inputs].offset[k] =
            (double)bits_float((uint32_t)nir_src_comp_as_uint(place->src[0], k)); /* a constant in these shaders */
      p->num_inputs++;
   }
}

static void
scan_inputs(struct pair *p)
{
   nir_foreach_block(block, p->fragment) {
      nir_foreach_instr(instr, block) {
         if (instr->type == NIR_INSTR_INTRINSIC &&
             (nir_as_intrinsic(instr)->op == NIR_INTRINSIC_load_input ||
              nir_as_intrinsic(instr)->op == NIR_INTRINSIC_load_interpolated_input))
            add_inputs(p, nir_as_intrinsic(instr));
      }
   }
}

static void
run_vertices(struct pair *p)
{
   static uint32_t sysvals[4][NIR_INTERP_SYSVALS][4];

   for (uint32_t i = 0; i < 4; i++)
      sysvals[i][0][0] = MIN2(i, VERTICES - 1u);
   const struct nir_interp_params params = {
      .num_lanes = 4, .subgroup_size = 32, .sysvals = (const uint32_t(*)[NIR_INTERP_SYSVALS][4])sysvals};
   struct nir_interp_result result = nir_interp_run(&p->arena, p->vertex, &params);

   if (result.error)
      give_up("vertex shader", result.error);
   p->vertices = result.outputs;
   for (unsigned v = 0; v < VERTICES; v++) {
      for (unsigned i = 0; i < 4; i++)
         p->position[v][i] = (double)bits_float(p->vertices[v][NIR_SLOT_POS][i]);
   }
}

/* Weights of the vertices at a place in pixels: on the screen, and in perspective. */
static void
weights_at(const struct pair *p, double x, double y, double linear[VERTICES], double smooth[VERTICES], double *one_w)
{
   double at[VERTICES][2], area, sum = 0;

   for (unsigned v = 0; v < VERTICES; v++) {
      for (unsigned i = 0; i < 2; i++)
         at[v][i] = (p->position[v][i] / p->position[v][3] + 1) * SIZE_PX / 2;
   }
   area = (at[1][0] - at[0][0]) * (at[2][1] - at[0][1]) - (at[2][0] - at[0][0]) * (at[1][1] - at[0][1]);
   for (unsigned v = 0; v < VERTICES; v++) {
      const double *a = at[(v + 1) % 3], *b = at[(v + 2) % 3];

      linear[v] = ((a[0] - x) * (b[1] - y) - (b[0] - x) * (a[1] - y)) / area;
      smooth[v] = linear[v] / p->position[v][3];
      sum += smooth[v];
   }
   for (unsigned v = 0; v < VERTICES; v++)
      smooth[v] /= sum;
   *one_w = sum;
}

static uint32_t
value_of(const struct pair *p, const struct input *in, const double linear[VERTICES], const double smooth[VERTICES])
{
   const double *weights = in->interp == NIR_INTERP_SMOOTH ? smooth : linear;
   double sum = 0;

   if (in->interp == NIR_INTERP_FLAT)
      return p->vertices[p->first][in->slot][in->component];
   for (unsigned v = 0; v < VERTICES; v++) {
      uint32_t bits = p->vertices[v][in->slot][in->component];

      sum += weights[v] * (double)(in->bits == 16 ? half_to_float((uint16_t)bits) : bits_float(bits));
   }
   return in->bits == 16 ? half_from_float((float)sum) : float_bits((float)sum);
}

/* 1: drawn, 0: not, -1: at the edge. */
static int
covers(const struct pair *p, const double smooth[VERTICES])
{
   for (unsigned i = 0; i < p->vertex->info.cull_distances; i++) {
      bool outside = true;

      for (unsigned v = 0; v < VERTICES; v++)
         outside &= bits_float(p->vertices[v][NIR_SLOT_CULL_DIST0 + i / 4][i % 4]) < 0;
      if (outside)
         return 0;
   }
   int covered = 1;

   for (unsigned i = 0; i < p->vertex->info.clip_distances; i++) {
      double distance = 0;

      for (unsigned v = 0; v < VERTICES; v++)
         distance += smooth[v] * (double)bits_float(p->vertices[v][NIR_SLOT_CLIP_DIST0 + i / 4][i % 4]);
      if (distance < -0.25)
         return 0;
      if (distance < 0.25)
         covered = -1;
   }
   return covered;
}

/* What each vertex has, and their weights in the middle of the pixel, in the API's order. */
static void
set_vertices(const struct pair *p, const double linear[VERTICES], const double smooth[VERTICES],
             uint32_t inputs[NIR_INTERP_VERTICES][NIR_SLOT_COUNT][4], float weights[2][VERTICES])
{
   for (unsigned v = 0; v < VERTICES; v++) {
      unsigned from = (p->first + v) % VERTICES;

      memcpy(inputs[v], p->vertices[from], sizeof(inputs[v]));
      weights[0][v] = (float)smooth[from];
      weights[1][v] = (float)linear[from];
   }
}

/* All pixels at one of their samples; weight: of the sample in the result. */
static void
run_sample(struct pair *p, unsigned sample, float texels[PIXELS][4])
{
   uint32_t(*inputs)[NIR_SLOT_COUNT][4] = calloc(PIXELS, sizeof(*inputs));
   uint32_t(*sysvals)[NIR_INTERP_SYSVALS][4] = calloc(PIXELS, sizeof(*sysvals));
   uint32_t(*vertices)[NIR_INTERP_VERTICES][NIR_SLOT_COUNT][4] = calloc(PIXELS, sizeof(*vertices));
   float(*weights)[2][VERTICES] = calloc(PIXELS, sizeof(*weights));
   static int covered[PIXELS];
   const unsigned coord = NIR_INTRINSIC_load_frag_coord - NIR_INTRINSIC_load_vertex_id;

   for (unsigned i = 0; i < PIXELS; i++) {
      double linear[VERTICES], smooth[VERTICES], one_w, z = 0, x = i % SIZE_PX, y = i / SIZE_PX;

      for (unsigned k = 0; k < p->num_inputs; k++) {
         const double *at = sample_at[p->samples][sample];
         const struct input *in = &p->inputs[k];

         weights_at(p, x + (in->sample ? at[0] : 0.5) + in->offset[0], y + (in->sample ? at[1] : 0.5) + in->offset[1],
                    linear, smooth, &one_w);
         inputs[i][in->slot][in->component] = value_of(p, in, linear, smooth);
      }
      weights_at(p, x + 0.5, y + 0.5, linear, smooth, &one_w);
      covered[i] = covers(p, smooth);
      set_vertices(p, linear, smooth, vertices[i], weights[i]);
      for (unsigned v = 0; v < VERTICES; v++)
         z += linear[v] * p->position[v][2] / p->position[v][3];
      const float values[4] = {(float)x + 0.5f, (float)y + 0.5f, (float)z, (float)one_w};

      memcpy(sysvals[i][coord], values, sizeof(values));
   }
   const struct nir_interp_params params = {.num_lanes = PIXELS,
                                            .subgroup_size = 32,
                                            .inputs = (const uint32_t(*)[NIR_SLOT_COUNT][4])inputs,
                                            .vertex_inputs =
                                               (const uint32_t(*)[NIR_INTERP_VERTICES][NIR_SLOT_COUNT][4])vertices,
                                            .barycentric_coords = (const float(*)[2][VERTICES])weights,
                                            .sysvals = (const uint32_t(*)[NIR_INTERP_SYSVALS][4])sysvals};
   struct nir_interp_result result = nir_interp_run(&p->arena, p->fragment, &params);

   if (result.error)
      give_up("fragment shader", result.error);
   for (unsigned i = 0; i < PIXELS; i++) {
      for (unsigned c = 0; c < 4 && covered[i]; c++)
         texels[i][c] +=
            covered[i] < 0 ? NAN : bits_float(result.outputs[i][NIR_SLOT_FRAG_DATA0][c]) / (float)p->samples;
   }
   free(inputs);
   free(sysvals);
   free(vertices);
   free(weights);
}

static void
run_pair(const char *folder, unsigned number, unsigned topology, unsigned samples, float texels[PIXELS][4])
{
   struct pair *p = calloc(1, sizeof(*p));

   memset(texels, 0, PIXELS * 4 * sizeof(float));
   p->vertex = load(&p->arena, folder, number, "vert", NIR_STAGE_VERTEX);
   p->fragment = load(&p->arena, folder, number, "frag", NIR_STAGE_FRAGMENT);
   p->first = topology == 2; /* of a fan, whose hub is its last */
   p->samples = samples;
   scan_inputs(p);
   run_vertices(p);
   for (unsigned i = 0; i < samples; i++)
      run_sample(p, i, texels);
   arena_free(&p->arena);
   free(p);
}

int
main(int argc, char **argv)
{
   static float texels[PIXELS][4];
   char path[1000];

   if (argc != 3)
      give_up("usage", "varying_reference FOLDER FILE");
   snprintf(path, sizeof(path), "%s/pairs.txt", argv[1]);
   FILE *list = fopen(path, "r"), *file = fopen(argv[2], "wb");
   unsigned topology, samples;

   if (!list || !file)
      give_up(path, "cannot be opened");
   for (unsigned number = 0; fscanf(list, "%u %u", &topology, &samples) == 2; number++) {
      run_pair(argv[1], number, topology, samples, texels);
      fwrite(texels, 1, sizeof(texels), file);
   }
   fclose(list);
   return fclose(file) ? 1 : 0;
}
