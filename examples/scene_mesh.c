/* The geometry: a ring, placed many times, a ground, and panes of glass. */
#include <math.h>
#include <string.h>

#include "scene.h"

#define AROUND 20u /* along the ring */
#define ACROSS 12u /* around its tube */
#define GRID 15u   /* GRID * GRID rings */
#define PANES 9u
#define PI 3.14159265358979f

static void
build_ring(struct vertex *vertices, uint16_t *indices)
{
   for (uint32_t i = 0; i <= AROUND; i++) {
      for (uint32_t j = 0; j <= ACROSS; j++) {
         float u = 2 * PI * (float)i / AROUND, v = 2 * PI * (float)j / ACROSS;
         float normal[3] = {cosf(v) * cosf(u), cosf(v) * sinf(u), sinf(v)};
         float center[3] = {cosf(u), sinf(u), 0};
         struct vertex *vertex = &vertices[i * (ACROSS + 1) + j];
         for (unsigned k = 0; k < 3; k++) {
            vertex->position[k] = center[k] * 0.7f + normal[k] * 0.3f;
            vertex->normal[k] = normal[k];
         }
         vertex->coord[0] = 3 * (float)i / AROUND;
         vertex->coord[1] = (float)j / ACROSS;
      }
   }
   for (uint32_t i = 0; i < AROUND; i++) {
      for (uint32_t j = 0; j < ACROSS; j++) {
         uint16_t a = (uint16_t)(i * (ACROSS + 1) + j), b = (uint16_t)(a + ACROSS + 1);
         const uint16_t quad[6] = {a, b, (uint16_t)(b + 1), a, (uint16_t)(b + 1), (uint16_t)(a + 1)};
         memcpy(indices, quad, sizeof(quad));
         indices += 6;
      }
   }
}

static void
build_ground(struct vertex *vertices, uint16_t *indices, uint16_t base)
{
   for (unsigned i = 0; i < 4; i++) {
      const float x = i & 1 ? 1 : -1, z = i & 2 ? 1 : -1;
      vertices[i] = (struct vertex){{x * 60, 0, z * 60}, {0, 1, 0}, {x * 20, z * 20}};
   }
   const uint16_t quad[6] = {base,
                             (uint16_t)(base + 2),
                             (uint16_t)(base + 1),
                             (uint16_t)(base + 1),
                             (uint16_t)(base + 2),
                             (uint16_t)(base + 3)};
   memcpy(indices, quad, sizeof(quad));
}

static void
place_rings(struct instance *instances)
{
   uint32_t seed = 12345;
   for (uint32_t i = 0; i < GRID * GRID; i++) {
      float random[4];
      for (unsigned k = 0; k < 4; k++) {
         seed = seed * 1664525u + 1013904223u;
         random[k] = (float)(seed >> 8) / 16777216.0f;
      }
      float scale = 0.55f + 0.5f * random[0];
      float x = ((float)(i % GRID) - (GRID - 1) * 0.5f) * 3.5f, z = ((float)(i / GRID) - (GRID - 1) * 0.5f) * 3.5f;
      instances[i] = (struct instance){
         {x + random[1], scale + 0.6f * random[2], z + random[3], scale},
         {0.6f + 0.4f * random[1], 0.6f + 0.4f * random[2], 0.6f + 0.4f * random[3], 2 * PI * random[0]},
      };
   }
}

struct scene_mesh
scene_mesh_create(struct vkx *vkx)
{
   const uint32_t ring_vertices = (AROUND + 1) * (ACROSS + 1), rings = GRID * GRID;
   struct scene_mesh mesh = {
      .ring_indices = AROUND * ACROSS * 6,
      .ground_first_index = AROUND * ACROSS * 6,
      .ground_indices = 6,
      .num_rings = rings,
      .ground_instance = rings,
      .first_glass = rings + 1,
      .num_glass = PANES,
   };
   mesh.vertices =
      vkx_buffer_create(vkx, (ring_vertices + 4) * sizeof(struct vertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, true);
   mesh.indices = vkx_buffer_create(vkx, (mesh.ring_indices + mesh.ground_indices) * sizeof(uint16_t),
                                    VK_BUFFER_USAGE_INDEX_BUFFER_BIT, true);
   mesh.instances =
      vkx_buffer_create(vkx, (rings + 1 + PANES) * sizeof(struct instance), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, true);
   struct vertex *vertices = mesh.vertices.map;
   uint16_t *indices = mesh.indices.map;
   struct instance *instances = mesh.instances.map;
   build_ring(vertices, indices);
   build_ground(vertices + ring_vertices, indices + mesh.ring_indices, (uint16_t)ring_vertices);
   place_rings(instances);
   instances[rings] = (struct instance){{0, 0, 0, 1}, {1, 1, 1, 0}};
   for (uint32_t i = 0; i < PANES; i++) { /* far to near, so that blending is in order */
      const float t = (float)i / (PANES - 1);
      instances[mesh.first_glass + i] = (struct instance){
         {-14 + 28 * t, 5.5f + 1.5f * sinf(5 * t), -10 + 22 * t, 2.6f},
         {0.2f + 0.8f * t, 0.5f, 1 - 0.7f * t, 0.7f},
      };
   }
   return mesh;
}

void
scene_mesh_destroy(struct vkx *vkx, struct scene_mesh *mesh)
{
   vkx_buffer_destroy(vkx, &mesh->vertices);
   vkx_buffer_destroy(vkx, &mesh->indices);
   vkx_buffer_destroy(vkx, &mesh->instances);
}
