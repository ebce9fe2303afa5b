#version 450
#extension GL_EXT_shader_image_load_formatted : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(push_constant) uniform Push {
   ivec4 first; // x, y, layer of the box; of its texels those are stored to whose hash has a bit of w
   ivec4 size;  // and those get the second value whose hash has a bit of w
   ivec4 from;
   vec4 value, second;
};
#ifdef TURN
layout(set = 0, binding = 0, r32ui) uniform uimage2DArray to;
#else
layout(set = 0, binding = 0) uniform image2DArray to;
#endif
#ifdef MOVE
layout(set = 0, binding = 1) uniform readonly image2DArray source;
#endif

// Stores values; or (MOVE) what another image has; or (TURN) turns bits over by atomics.
void main()
{
   ivec3 at = ivec3(gl_GlobalInvocationID);
   int hash = 1 << (at.x * 3 + at.y * 5 + at.z) % 8;
   if (any(greaterThanEqual(at, size.xyz)) || (first.w & hash) == 0)
      return;
#ifdef TURN
   imageAtomicXor(to, first.xyz + at, floatBitsToUint(value.x));
#elif defined(MOVE)
   imageStore(to, first.xyz + at, imageLoad(source, from.xyz + at));
#else
   imageStore(to, first.xyz + at, (size.w & hash) != 0 ? second : value);
#endif
}
