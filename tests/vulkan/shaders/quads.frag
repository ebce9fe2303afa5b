/* Votes, swaps and derivatives in quads that are partly covered, in control flow that is uniform in each quad.
 * DEMOTE: after some pixels have become helpers. */
#version 450
#extension GL_EXT_spirv_intrinsics : enable
#extension GL_EXT_demote_to_helper_invocation : enable
spirv_execution_mode(extensions = ["SPV_KHR_quad_control"], capabilities = [5087], 5088); /* QuadDerivativesKHR */
spirv_execution_mode(extensions = ["SPV_KHR_quad_control"], capabilities = [5087], 5089); /* RequireFullQuadsKHR */
#define QUAD(n) spirv_instruction(extensions = ["SPV_KHR_quad_control"], capabilities = [5087], id = n)
QUAD(5110) bool quadAll(bool x);
QUAD(5111) bool quadAny(bool x);
layout(location = 0) out uint color;

uint bits(bool x, int n) { return x ? 1u << n : 0u; }

void main()
{
   uvec2 p = uvec2(gl_FragCoord.xy);
   bool inside = p.x + p.y < 15;
#ifdef DEMOTE
   if ((p.x & 3u) == 2u && (p.y & 1u) == 0u)
      demote;
#endif
   color = bits(true, 31) | bits(quadAll(inside), 0) | bits(quadAny(!inside), 1);
   color |= bits(quadAny((p.x & p.y & 1u) != 0u), 2) | bits(quadAll((p.x & 1u) != 0u), 3);
   /* What the opposite corner has, by derivatives of what is linear. */
   float own = float(p.x << 4 | p.y);
   vec2 steps_to = vec2((p.x & 1u) != 0u ? -1 : 1, (p.y & 1u) != 0u ? -1 : 1);
   color |= uint(own + steps_to.x * dFdxFine(own) + steps_to.y * dFdyFine(own)) << 4;
   uint turns = p.x >> 1 ^ p.y >> 1, steps = 0u;
   while (turns-- != 0u) { /* as often in all of the quad */
      if ((turns & 1u) == 0u)
         steps += uint(dFdxFine(float(p.x * p.x)) + dFdyFine(float(64u * p.y)));
   }
   color |= steps << 12;
}
