#version 450
#extension GL_EXT_samplerless_texture_functions : require
#extension GL_EXT_shader_image_load_formatted : require

/* Texels of a box between an image and a buffer of uvec4. One of FETCH, LOAD, STORE; DIMENSION: 1, 2 (arrays), 3; 4:
 * an array with samples. */

layout(local_size_x = 64) in;

#if DIMENSION == 1
#define PLACE ivec2(at.x, at.z)
#define KIND(name) name##1DArray
#elif DIMENSION == 2
#define PLACE ivec3(at)
#define KIND(name) name##2DArray
#elif DIMENSION == 3
#define PLACE ivec3(at)
#define KIND(name) name##3D
#else
#define PLACE ivec3(at)
#define KIND(name) name##2DMSArray
#endif

#if defined(FETCH)
layout(set = 0, binding = 0) uniform KIND(utexture) image;
#elif defined(LOAD)
layout(set = 0, binding = 0) uniform readonly KIND(uimage) image;
#else
layout(set = 0, binding = 0) uniform writeonly KIND(uimage) image;
#endif
layout(set = 0, binding = 1) buffer Texels { uvec4 texels[]; };
layout(push_constant) uniform Box {
   uvec3 origin;
   uint samples;
   uvec3 size;
} box;

void main()
{
   const uint i = gl_GlobalInvocationID.x, pixel = i / box.samples, sample_number = i % box.samples;
   const uint row = pixel / box.size.x;
   const uvec3 at = box.origin + uvec3(pixel % box.size.x, row % box.size.y, row / box.size.y);
   if (pixel >= box.size.x * box.size.y * box.size.z)
      return;
#if defined(FETCH) && DIMENSION == 4
   texels[i] = texelFetch(image, PLACE, int(sample_number));
#elif defined(FETCH)
   texels[i] = texelFetch(image, PLACE, 0);
#elif defined(LOAD)
   texels[i] = imageLoad(image, PLACE);
#else
   imageStore(image, PLACE, texels[i]);
#endif
}
