#version 450
/* What random_draws.c draws: positions are whole 64ths of the viewport's half, so that every device rasterises the
 * same pixels. */
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(location = 2) in vec4 instance; // x, y, depth, unused; whole numbers
layout(location = 3) in vec2 depth_w;

layout(push_constant) uniform Push {
   vec4 scale;    // position, depth, depth of an instance, depth of a vertex
   vec4 misc;     // point size, use of w, use of the indices, size of the shape
   vec4 clip[2];  // planes in normalised coordinates: x, y, 1
   vec4 fragment; // depth, checker
};

layout(location = 0) out vec4 smooth_color;
layout(location = 1) flat out vec4 flat_color;
layout(location = 2) noperspective out vec4 linear_color;
out gl_PerVertex {
   vec4 gl_Position;
   float gl_PointSize;
#ifdef CLIP
   float gl_ClipDistance[2];
#endif
};

void
main()
{
   const vec2 place = (round(position.xy * scale.x) * misc.w + instance.xy) / 64;
   const float z = scale.y + (scale.z * instance.z + scale.w * depth_w.x) / 64;
   const float w = misc.y != 0 ? depth_w.y : 1;
   gl_Position = vec4(place, z, 1) * w;
   gl_PointSize = misc.x;
   smooth_color = flat_color = linear_color =
      misc.z != 0 ? vec4(gl_VertexIndex * 7 & 255, gl_InstanceIndex * 31 & 255, color.b * 255, 255) / 255 : color;
#ifdef CLIP
   for (int i = 0; i < 2; i++)
      gl_ClipDistance[i] = dot(clip[i].xyz, vec3(place, 1)) * w;
#endif
}
