#ifndef SCENE_H
#define SCENE_H

#include "render.h"

struct vertex {
   float position[3], normal[3], coord[2];
};

struct instance {
   float place[4]; /* position, scale */
   float tint[4];  /* colour, rotation angle (opacity for glass) */
};

/* Vertices, 16-bit indices and instances of everything, in one host-visible buffer each. */
struct scene_mesh {
   struct vkx_buffer vertices, indices, instances;
   uint32_t ring_indices, ground_first_index, ground_indices; /* ring: from index 0 */
   uint32_t num_rings, ground_instance, first_glass, num_glass;
};

struct scene_mesh scene_mesh_create(struct vkx *vkx);
void scene_mesh_destroy(struct vkx *vkx, struct scene_mesh *mesh);

/* A mipmapped 256x256 texture, written by compute shaders, in SHADER_READ_ONLY layout. kind: 0 tiles, 1 wood. */
struct vkx_image scene_texture_create(struct vkx *vkx, uint32_t kind);

#endif
