#version 450
#extension GL_EXT_shader_image_load_formatted : require
/* One use of a format by 64 invocations. TYPE: prefix of vectors and images. */
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) uniform SAMPLER2D image;
layout(set = 0, binding = 1) buffer Result { VEC4 result[64]; };
layout(set = 0, binding = 2) uniform SAMPLER_BUFFER texels;
layout(set = 0, binding = 3) uniform IMAGE_BUFFER stored_texels;
layout(set = 0, binding = 4) uniform IMAGE2D stored;
layout(set = 0, binding = 5) readonly buffer Values { VEC4 values[64]; };
layout(push_constant) uniform Push { uint use; };

void main()
{
   int i = int(gl_GlobalInvocationID.x);
   ivec2 at = ivec2(i % 8, i / 8);
   switch (use) {
   case 0:
      result[i] = texelFetch(image, at, 0);
      break;
   case 1:
      result[i] = textureLod(image, (vec2(at) + 0.75) / 8.0, 0.0);
      break;
   case 2:
      imageStore(stored, at, values[i]);
      break;
   case 3:
      result[i] = imageLoad(stored, at);
      break;
   case 4:
      result[i] = texelFetch(texels, i);
      break;
   case 5:
      imageStore(stored_texels, i, values[i]);
      break;
   case 6:
      result[i] = imageLoad(stored_texels, i);
      break;
   }
}
