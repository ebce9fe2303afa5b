/* Storage images of 64-bit integers (VK_EXT_shader_image_atomic_int64): stores, then atomics, then loads, at last a
 * null descriptor. Rows of the image are the operations; four invocations meet in a texel of the first six. */
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_shader_image_int64 : require
layout(local_size_x = 64) in;
layout(constant_id = 0) const int STEP = 0;
layout(set = 0, binding = 0, FORMAT) coherent uniform IMAGE image;
layout(set = 0, binding = 1) readonly buffer In { T inputs[]; };
layout(set = 0, binding = 2) writeonly buffer Out { T results[]; };

void main()
{
   int i = int(gl_GlobalInvocationID.x), shared_i = i % 64;
   T x = inputs[i];
   if (STEP == 0) {
      for (int row = 0; row < 8; row++)
         imageStore(image, AT(i, row), T4(inputs[256 * (row + 1) + i], T(1), T(2), T(3)));
   } else if (STEP == 1) {
      imageAtomicAdd(image, AT(shared_i, 0), x);
      imageAtomicMin(image, AT(shared_i, 1), x);
      imageAtomicMax(image, AT(shared_i, 2), x);
      imageAtomicAnd(image, AT(shared_i, 3), x);
      imageAtomicOr(image, AT(shared_i, 4), x);
      imageAtomicXor(image, AT(shared_i, 5), x);
      results[i] = imageAtomicExchange(image, AT(i, 6), x);
      /* Every second one holds. */
      T expected = inputs[256 * 8 + i] + T(i & 1);
      results[256 + i] = imageAtomicCompSwap(image, AT(i, 7), expected, x);
      results[512 + i] = imageAtomicAdd(image, AT(i, 9), x); /* outside: nothing, and what it gives is undefined */
   } else if (STEP == 2) {
      for (int row = 0; row < 8; row++) {
         T4 texel = imageLoad(image, AT(i, row));
         results[256 * row + i] = texel.y == T(0) && texel.z == T(0) && texel.w == T(1) ? texel.x : T(0xbad);
      }
   } else { /* of a null descriptor */
      for (int row = 0; row < 8; row++) {
         imageStore(image, AT(i, row), T4(x));
         results[256 * row + i] = T(imageLoad(image, AT(i, row)) != T4(0));
      }
   }
}
