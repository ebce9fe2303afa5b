// What internal programs have in common.
#extension GL_EXT_shader_image_load_formatted : require

#include "si_meta_table.h"

#ifndef GROUP_PX
#define GROUP_PX 8
#endif
layout(local_size_x = GROUP_PX, local_size_y = GROUP_PX) in;

layout(push_constant, std430) uniform arguments {
   si_meta_table table;
   uint places[SI_META_PLACES]; // of queries
};

bool is_inside()
{
   return all(lessThan(gl_GlobalInvocationID, table.size.xyz));
}

bool has_flag(uint flag)
{
   return (table.flags.x & flag) != 0;
}

// The invocation's texel in a buffer of rows and slices.
uint texel_of_buffer()
{
   const uvec3 id = gl_GlobalInvocationID;
   return id.y * table.src_pitch_el.x + id.z * table.src_pitch_el.y + id.x;
}
