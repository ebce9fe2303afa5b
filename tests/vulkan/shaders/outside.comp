/* Fetches and loads of texels from layers (faces of cubes) and levels -8 to 23 of an image. */
#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(local_size_x = 64) in;
#if defined(LOAD)
layout(set = 0, binding = 0, r32ui) readonly uniform IMAGE image;
#define READ(layer, level) imageLoad(image, AT(layer)).r
#else
layout(set = 0, binding = 0) uniform IMAGE image;
#define READ(layer, level) texelFetch(image, AT(layer), level).r
#endif
#if defined(ROWS)
#define AT(layer) ivec2(1, layer)
#elif defined(FLAT)
#define AT(layer) ivec2(1, 2)
#else
#define AT(layer) ivec3(1, 2, layer)
#endif
layout(set = 0, binding = 1) writeonly buffer Out { uint results[]; };

void main()
{
   int i = int(gl_LocalInvocationIndex), at = i % 32 - 8;
   results[i] = i < 32 ? READ(at, 0) : READ(0, at);
}
