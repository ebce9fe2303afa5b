#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0, rgba8) uniform image2D a;
layout(set = 0, binding = 1, r32ui) uniform coherent uimage3D b;
layout(set = 0, binding = 2) uniform writeonly image2DArray c;
layout(set = 0, binding = 3, rg16f) uniform readonly imageCube d;
layout(set = 0, binding = 4, r32i) uniform iimageBuffer e;
layout(set = 0, binding = 5, rgba32f) uniform image1D f[4];
layout(set = 0, binding = 6, r32f) uniform image2D g;
layout(set = 0, binding = 7, rgba32f) uniform image2DMS h;
shared uint total;
void main()
{
   ivec3 at = ivec3(gl_GlobalInvocationID);
   vec4 v = imageLoad(a, at.xy) + imageLoad(d, at) + imageLoad(f[at.x & 3], at.y) + imageLoad(h, at.xy, 2);
   imageStore(a, at.xy, v);
   imageStore(c, at, v);
   imageStore(h, at.xy, 1, v);
   uint u = imageAtomicAdd(b, at, 1u) + imageAtomicMin(b, at, 2u) + imageAtomicMax(b, at, 3u) +
            imageAtomicAnd(b, at, 4u) + imageAtomicOr(b, at, 5u) + imageAtomicXor(b, at, 6u) +
            imageAtomicExchange(b, at, 7u) + imageAtomicCompSwap(b, at, 8u, 9u);
   int i = imageAtomicMin(e, at.x, -1) + imageAtomicMax(e, at.x, -2) + imageLoad(e, at.y).x;
   ivec2 size = imageSize(a) + imageSize(c).xy + imageSize(d) + ivec2(imageSize(e), imageSize(f[2]));
   imageStore(g, size, vec4(imageAtomicExchange(g, at.xy, 1.0)));
   imageStore(e, int(u) + imageSamples(h), ivec4(i));
}
