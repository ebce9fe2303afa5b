/* Sums, products and conversions in the float modes that a shader asks for (VK_KHR_shader_float_controls). */
#version 450
#extension GL_EXT_spirv_intrinsics : enable
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#define MODE(capability, mode, bits)                                                                                 \
   spirv_execution_mode(extensions = ["SPV_KHR_float_controls"], capabilities = [capability], mode, bits);
#ifdef PRESERVE
MODE(4464, 4459, BITS)
#endif
#ifdef FLUSH
MODE(4465, 4460, BITS)
#endif
#ifdef EVEN
MODE(4467, 4462, BITS)
#endif
#ifdef TO_ZERO
MODE(4468, 4463, BITS)
#endif
MODE(4466, 4461, BITS)
#if BITS == 16
#define T float16_t
#define LOAD(v) unpackFloat2x16(v.x).x
#define WORDS(x) uvec2(packFloat2x16(f16vec2(x, 0.0hf)) & 0xffffu, 0u)
#elif BITS == 64
#define T double
#define LOAD(v) packDouble2x32(v)
#define WORDS(x) unpackDouble2x32(x)
#else
#define T float
#define LOAD(v) uintBitsToFloat(v.x)
#define WORDS(x) uvec2(floatBitsToUint(x), 0u)
#endif
layout(local_size_x = 64) in;
struct In { uvec2 a, b; };
layout(set = 0, binding = 0) readonly buffer Ins { In inputs[]; };
layout(set = 0, binding = 1) writeonly buffer Out { uvec2 results[]; };

uint row = 0u;
void put(T x) { results[row++ * gl_NumWorkGroups.x * 64u + gl_GlobalInvocationID.x] = WORDS(x); }

void main()
{
   T a = LOAD(inputs[gl_GlobalInvocationID.x].a), b = LOAD(inputs[gl_GlobalInvocationID.x].b);
   precise T sum = a + b, product = a * b, difference = a - b;
   put(sum);
   put(product);
   put(difference);
   put(-a);
   put(abs(a));
   put(a + T(0.0)); /* neither is a; signs of zeros count */
   put(a * T(1.0));
   put(min(a, b));
   put(max(a, b));
}
