#version 450
// A triangle over everything. RATE: with a rate of its own.
#extension GL_EXT_fragment_shading_rate : require
layout(push_constant) uniform Push { float depth; int rate; uint draw; float slope; };

void main()
{
   vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1);
   gl_Position = vec4(corner * 4.0 - 1.0, depth + corner.x * 2.0 * slope, 1.0);
#ifdef RATE
   gl_PrimitiveShadingRateEXT = rate;
#endif
}
