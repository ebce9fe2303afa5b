/* A pipeline for a module of SPIR-V, or for a pair of them. */
#ifndef TEST_BENCH_PIPELINES_H
#define TEST_BENCH_PIPELINES_H

#include "compiler/nir/nir.h"
#include "util/arena.h"
#include "vkx.h"

struct bench_module {
   uint32_t *words; /* malloc'ed */
   size_t size_B;
   enum nir_stage stage;
   struct nir_shader *nir;
};

struct bench_pipeline {
   struct bench_module modules[2]; /* compute, or vertex and fragment */
   unsigned count;
   VkPipelineLayout layout;
   VkPipelineShaderStageCreateInfo stages[2];
   VkRenderPass pass;
   uint32_t colors;
};

/* False: there is no such file, or nir takes no shader from it. */
bool bench_module_load(struct arena *arena, const char *path, struct bench_module *module);
/* Layout, stages and render pass of the modules. */
void bench_pipeline_init(struct vkx *vkx, struct bench_pipeline *pipeline);
/* With statistics; VK_NULL_HANDLE: the driver refuses. */
VkPipeline bench_pipeline_create(struct vkx *vkx, const struct bench_pipeline *pipeline);

#endif
