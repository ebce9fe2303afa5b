#version 450
#extension GL_EXT_fragment_shader_barycentric : require
#extension GL_EXT_shader_explicit_arithmetic_types : require
#extension GL_EXT_shader_16bit_storage : require
/* Inputs by vertex of all shapes, chosen at run time too, and weights of the vertices. */
struct Pair {
   uint number;
   mat2 both;
};
layout(location = 0) pervertexEXT in vec4 plain[3];
layout(location = 1) pervertexEXT in Block { vec2 first; float list[2]; } block[3];
layout(location = 4) pervertexEXT in Pair pair[3];
layout(location = 7, component = 1) pervertexEXT in f16vec2 halves[3];
layout(location = 0) out vec4 outputs[3];

void main()
{
   int i = int(gl_FragCoord.x);

   outputs[0] = vec4(plain[i].z, block[1].list[1], block[i].first.y, pair[2].both[1][0]);
   outputs[1] = vec4(pair[i].number, halves[i].y, gl_BaryCoordEXT[i], gl_BaryCoordNoPerspEXT.y);
   outputs[2] = vec4(interpolateAtOffset(gl_BaryCoordEXT, vec2(0.25, 0)), plain[0].w);
}
