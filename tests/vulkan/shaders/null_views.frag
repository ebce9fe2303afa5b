#version 450
// Null images of all kinds, read in every direction, with coordinates that change by whole images between pixels.
layout(set = 0, binding = 0) uniform sampler2D real;
layout(set = 0, binding = 1) uniform sampler1D line;
layout(set = 0, binding = 2) uniform sampler2D flat_image;
layout(set = 0, binding = 3) uniform sampler3D solid;
layout(set = 0, binding = 4) uniform samplerCube cube;
layout(set = 0, binding = 5) uniform sampler2DArray layers;
#ifdef CUBES
layout(set = 0, binding = 6) uniform samplerCubeArray cubes;
#endif
layout(location = 0) out uint result;

uint bits(vec4 color, int bit) { return color == vec4(0.0) ? 0u : 1u << bit; }
uint bits(vec2 lod, int bit) { return lod == vec2(0.0) ? 0u : 1u << bit; }

void main()
{
   // The view has one level of 4 texels; a pixel is 7 images wide.
   vec4 at = vec4(gl_FragCoord.xy * 7.0, gl_FragCoord.x + gl_FragCoord.y * 5.0, 0.0);
   // Pixels of a row look at the six faces.
   int face = int(gl_FragCoord.x) % 6;
   vec3 to = vec3(0.25, 0.5, -0.125);
   to[face / 2] = (face & 1) == 0 ? 1.0 : -1.0;
   uint wrong = 0u;
   wrong |= bits(textureQueryLod(line, at.x), 0) | bits(textureQueryLod(flat_image, at.xy), 1);
   wrong |= bits(textureQueryLod(solid, at.xyz), 2) | bits(textureQueryLod(cube, at.xyz), 3);
   wrong |= bits(textureQueryLod(layers, at.xy), 4);
   wrong |= bits(texture(line, at.x), 5) | bits(texture(flat_image, at.xy), 6) | bits(texture(solid, at.xyz), 7);
   wrong |= bits(texture(cube, to), 8) | bits(textureLod(cube, to, 3.0), 9) | bits(textureGather(cube, to), 10);
   wrong |= bits(texture(layers, at.xyz), 11) | bits(textureGather(layers, at.xyz), 12);
   wrong |= bits(texelFetch(layers, ivec3(at.xyz), 0), 13) | bits(texelFetch(solid, ivec3(0, 0, at.z), 0), 14);
#ifdef CUBES
   wrong |= bits(textureQueryLod(cubes, at.xyz), 15) | bits(texture(cubes, vec4(to, at.z)), 16);
   wrong |= bits(textureLod(cubes, vec4(to, at.z), 1.0), 17) | bits(textureGather(cubes, vec4(to, at.z)), 18);
#endif
   // Of a real image the second number is that of the gradient, 28 texels: between 4 and 5.
   float level = textureQueryLod(real, at.xy).y;
   wrong |= level > 4.5 && level < 5.0 ? 0u : 1u << 19;
   wrong |= bits(texture(real, at.xy), 20) ^ 1u << 20;
   result = wrong | 1u << 31;
}
