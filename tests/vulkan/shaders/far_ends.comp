#version 450
#extension GL_EXT_samplerless_texture_functions : require
// Eight places: every invocation fetches and loads at its own, and the last four store there.
layout(local_size_x = 8) in;
layout(set = 0, binding = 0) buffer Places { uint place[8]; uint results[20]; };
#ifdef SOLID
layout(set = 0, binding = 1) uniform utexture3D source;
layout(set = 0, binding = 2, r8ui) uniform uimage3D image;
layout(push_constant) uniform Axis { uint axis; };
#define FETCH(at) texelFetch(source, at, 0)
#else
layout(set = 0, binding = 1) uniform utextureBuffer source;
layout(set = 0, binding = 2, r8ui) uniform uimageBuffer image;
#define FETCH(at) texelFetch(source, at)
#endif

void main()
{
   uint i = gl_LocalInvocationIndex;
#ifdef SOLID
   ivec3 at = ivec3(0);
   at[axis] = int(place[i]);
   uint size = uint(textureSize(source, 0)[axis]), image_size = uint(imageSize(image)[axis]);
#else
   int at = int(place[i]);
   uint size = uint(textureSize(source)), image_size = uint(imageSize(image));
#endif
   results[2u * i] = FETCH(at).r;
   results[2u * i + 1u] = imageLoad(image, at).r;
   if (i >= 4u)
      imageStore(image, at, uvec4(100u + i));
   results[16] = size;
   results[17] = image_size;
}
