#version 450
// One cell of 32x32 pixels: a kind of access to a texture over coordinates that run past its edges.
layout(local_size_x = 8, local_size_y = 8) in;
layout(set = 0, binding = 0) uniform sampler2D flat2d;
layout(set = 0, binding = 1) uniform samplerCube cube;
layout(set = 0, binding = 2) uniform sampler3D volume;
layout(set = 0, binding = 3) uniform sampler2DArray layers;
layout(set = 0, binding = 4) uniform sampler2DShadow shadow;
layout(set = 0, binding = 5) buffer Picture { uint pixels[]; };
layout(push_constant) uniform Push { uint kind, x, y, pitch; float lod; };

const ivec2 offsets[4] = ivec2[](ivec2(-8, 3), ivec2(2, -5), ivec2(7, 7), ivec2(0, -1));

void main()
{
   uvec2 at = gl_GlobalInvocationID.xy;
   vec2 unit = (vec2(at) + 0.5) / 32.0, uv = unit * 3.0 - 1.0;
   vec4 c = vec4(0.0);
   switch (kind) {
   case 0u: c = textureLod(flat2d, uv, lod); break;
   case 1u: c = textureLod(cube, vec3(unit * 2.4 - 1.2, 1.0), lod); break;
   case 2u: c = textureLod(cube, vec3(-1.0, unit.y * 2.4 - 1.2, unit.x * 2.4 - 1.2), lod); break;
   case 3u: c = textureLod(cube, vec3(unit.x * 2.4 - 1.2, -1.0, unit.y * 2.4 - 1.2), lod); break;
   case 4u: c = textureLod(volume, vec3(uv, unit.x), lod); break;
   case 5u: c = textureLod(layers, vec3(uv, unit.y * 5.0 - 0.7), lod); break;
   case 6u: c = vec4(textureLod(shadow, vec3(uv, unit.x), lod)); break;
   case 7u: c = textureGather(flat2d, uv, 1); break;
   case 8u: c = textureGather(shadow, uv, unit.y); break;
   case 9u: c = textureLodOffset(flat2d, uv, lod, ivec2(-3, 5)); break;
   case 10u: c = texelFetch(flat2d, ivec2(at) >> int(lod), int(lod)); break;
   case 11u: c = texelFetch(layers, ivec3(at & 15u, at.x >> 3), 0); break;
   case 12u:
      c = vec4(textureSize(flat2d, int(lod)), textureSize(layers, 0).z, textureQueryLevels(flat2d)) / 40.0;
      break;
   case 13u: c = textureGrad(flat2d, uv, vec2(unit.x, 0.0) * 0.2, vec2(0.0, unit.y) * 0.2); break;
   case 14u: c = vec4(textureSize(volume, 0), textureSize(cube, int(lod)).x) / 40.0; break;
   case 15u: c = textureProjLod(flat2d, vec4(uv * (unit.y + 0.5), 0.0, unit.y + 0.5), lod); break;
   case 16u: c = vec4(textureProjLod(shadow, vec4(uv, unit.x, 1.0) * (unit.x + 0.5), lod)); break;
   case 17u: c = textureGatherOffsets(flat2d, uv, offsets, 2); break;
   case 18u:
      c = textureGrad(cube, vec3(unit * 2.4 - 1.2, 1.0), vec3(unit.x * 0.2, 0.01, 0.02),
                      vec3(0.0, unit.y * 0.3, 0.05));
      break;
   case 19u:
      c = textureGrad(cube, vec3(unit.x * 2.4 - 1.2, -1.0, unit.y * 2.4 - 1.2), vec3(unit.x * 0.2, 0.05, 0.0),
                      vec3(0.0, 0.1, unit.y * 0.3));
      break;
   case 20u:
      c = textureGrad(cube, vec3(-1.0, unit.y * 2.4 - 1.2, unit.x * 2.4 - 1.2), vec3(0.03, 0.0, unit.x * 0.2),
                      vec3(0.0, unit.y * 0.3, 0.0));
      break;
   }
   pixels[(y + at.y) * pitch + x + at.x] = packUnorm4x8(vec4(c.rgb, 1.0) * vec4(0.8) + vec4(vec3(c.a * 0.2), 0.2));
}
