/* Storage images of all dimensions: stores, loads, every atomic operation, sizes; fetches from multisampled images
 * and texel buffers. STAGE: 0 vertex, 1 fragment, 2 compute; each of 256 invocations has texels of its own in every
 * image, and the stages have theirs. */
#version 450
#ifndef STAGE
#define STAGE 2
#endif
layout(set = 0, binding = 0) writeonly buffer Out { uint results[]; };
layout(set = 0, binding = 1, r32ui) uniform uimage1D image_1d;
layout(set = 0, binding = 2, r32ui) uniform uimage1DArray image_1d_array;
layout(set = 0, binding = 3, r32ui) uniform uimage2D image_2d;
layout(set = 0, binding = 4, r32ui) uniform uimage2DArray image_2d_array;
layout(set = 0, binding = 5, r32ui) uniform uimage3D image_3d;
layout(set = 0, binding = 6, r32ui) uniform uimageCube image_cube;
layout(set = 0, binding = 7, r32ui) uniform uimageCubeArray image_cube_array;
layout(set = 0, binding = 8, r32ui) uniform uimageBuffer image_buffer;
layout(set = 0, binding = 9, r32i) uniform iimage2D image_signed;
layout(set = 0, binding = 10) uniform usampler2DMS samples;
layout(set = 0, binding = 11) uniform usampler2DMSArray samples_array;
layout(set = 0, binding = 12) uniform usamplerBuffer texels;
layout(set = 0, binding = 13, r32f) uniform image2D image_float;
layout(set = 0, binding = 14) buffer Numbers { uint numbers[]; };
#if STAGE == 1
layout(location = 0) out vec4 color;
#elif STAGE == 2
layout(local_size_x = 64) in;
#endif

const uint ROWS = 160u;
uint id, row = 0u;
void put(uint x) { results[(uint(STAGE) * ROWS + row++) * 256u + id] = x; }
void put(uvec3 x) { put(x.x); put(x.y); put(x.z); }

#define SET(i, at) imageStore(i, at, uvec4(a));
#define GET(i, at) put(imageLoad(i, at).x);
#define ALL(i, at)                                       \
   SET(i, at) GET(i, at)                                 \
   put(imageAtomicAdd(i, at, b)); GET(i, at)             \
   SET(i, at) put(imageAtomicAnd(i, at, b)); GET(i, at)  \
   SET(i, at) put(imageAtomicOr(i, at, b)); GET(i, at)   \
   SET(i, at) put(imageAtomicXor(i, at, b)); GET(i, at)  \
   SET(i, at) put(imageAtomicMin(i, at, b)); GET(i, at)  \
   SET(i, at) put(imageAtomicMax(i, at, b)); GET(i, at)

void all_rows()
{
   uint a = id * 0x9e3779b1u + 77u, b = (id + 3u) * 0x85ebca6bu, s = uint(STAGE);
   uint same = (id & 1u) == 0u ? a : b;
   int n = int(id), o = int(s);
   ivec2 p2 = ivec2(n % 16 + 16 * o, n / 16);
   ALL(image_1d, n + 256 * o)
   ALL(image_1d_array, ivec2(n % 64 + 64 * o, n / 64))
   ALL(image_2d, p2)
   ALL(image_2d_array, ivec3(n % 8 + 8 * o, n / 8 % 8, n / 64))
   ALL(image_3d, ivec3(n % 8 + 8 * o, n / 8 % 8, n / 64))
   /* Each stage has faces of its own: 16 x 16 texels are 256. */
   ALL(image_cube, ivec3(n % 16, n / 16, 2 * o + 1))
   ALL(image_cube_array, ivec3(n % 8, n / 8 % 8, n / 64 + 4 * o + 3))
   ALL(image_buffer, n + 256 * o)
   SET(image_2d, p2) put(imageAtomicExchange(image_2d, p2, b)); GET(image_2d, p2)
   SET(image_2d, p2) put(imageAtomicCompSwap(image_2d, p2, same, b)); GET(image_2d, p2)
   SET(image_buffer, n + 256 * o) put(imageAtomicCompSwap(image_buffer, n + 256 * o, same, b));
   GET(image_buffer, n + 256 * o)
   imageStore(image_signed, p2, ivec4(a));
   put(uint(imageAtomicMin(image_signed, p2, int(b))));
   put(uint(imageLoad(image_signed, p2).x));
   imageStore(image_signed, p2, ivec4(a));
   put(uint(imageAtomicMax(image_signed, p2, int(b))));
   put(uint(imageLoad(image_signed, p2).x));
   imageStore(image_float, p2, vec4(float(n) / 8.0));
   put(floatBitsToUint(imageLoad(image_float, p2).x));
   put(uvec3(imageSize(image_1d), imageSize(image_1d_array)));
   put(uvec3(imageSize(image_2d), imageSize(image_buffer)));
   put(uvec3(imageSize(image_2d_array)));
   put(uvec3(imageSize(image_3d)));
   put(uvec3(imageSize(image_cube), textureSize(texels)));
   put(uvec3(imageSize(image_cube_array)));
   put(uvec3(textureSize(samples), textureSamples(samples)));
   put(uvec3(textureSize(samples_array)));
   put(textureSamples(samples_array));
   put(texelFetch(samples, ivec2(n % 8, n / 8 % 8), n / 64).x);
   put(texelFetch(samples_array, ivec3(n % 8, n / 8 % 4, n / 32 % 2), n / 64).x);
   put(texelFetch(texels, n).x);
   /* A number for each invocation: the stages share the counter's neighbours, not the counter. */
   put(atomicAdd(numbers[s], 1u));
   put(imageAtomicAdd(image_2d, ivec2(48 + o, 0), 1u));
}

void main()
{
#if STAGE == 0
   id = uint(gl_VertexIndex);
   gl_Position = vec4((vec2(id % 16u, id / 16u) + 0.5) / 8.0 - 1.0, 0.0, 1.0);
   gl_PointSize = 1.0;
#elif STAGE == 1
   id = uint(gl_FragCoord.y) * 16u + uint(gl_FragCoord.x);
   color = vec4(1);
#else
   id = gl_GlobalInvocationID.x;
#endif
   all_rows();
}
