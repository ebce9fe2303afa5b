/* What fragment shaders are given, row by row. SAMPLES: every sample runs on its own. */
#version 450
layout(location = 0) in vec2 in_smooth;
layout(location = 1) flat in vec2 in_flat;
layout(location = 2) noperspective in vec2 in_linear;
layout(location = 3) centroid in vec2 in_centroid;
#ifdef SAMPLES
layout(location = 4) sample in vec2 in_sample;
#else
layout(location = 4) in vec2 in_sample;
#endif
layout(location = 5) noperspective centroid in vec2 in_linear_centroid;
layout(location = 6) in vec2 in_array[3];
layout(location = 9, component = 0) in vec2 in_low;
layout(location = 9, component = 2) in vec2 in_high;
layout(location = 10) in mat2x3 in_matrix;
layout(location = 12) flat in uvec2 in_number;
layout(location = 13) in Block { float a; layout(location = 15) vec3 b; } block;
in float gl_ClipDistance[3];
layout(constant_id = 0) const int WIDTH = 32;
layout(constant_id = 1) const int HEIGHT = 32;
layout(constant_id = 2) const int NUM_SAMPLES = 1;
layout(set = 0, binding = 0) writeonly buffer Out { vec4 results[]; };
layout(location = 0) out vec4 color;

int row = 0;
int at = 0;
void store(vec4 x) { results[row++ * WIDTH * HEIGHT * NUM_SAMPLES + at] = x; }
void store(vec2 x, vec2 y) { store(vec4(x, y)); }
float curve(vec2 p) { return p.x * p.x + 3.0 * p.x * p.y + p.y * p.y * p.y; }

void main()
{
   ivec2 pixel = ivec2(gl_FragCoord.xy);
   float f = curve(floor(gl_FragCoord.xy));
#ifdef SAMPLES
   at = (pixel.y * WIDTH + pixel.x) * NUM_SAMPLES + gl_SampleID;
   store(vec4(gl_SampleID, gl_SamplePosition, NUM_SAMPLES));
#else
   at = (pixel.y * WIDTH + pixel.x) * NUM_SAMPLES;
   store(vec4(0));
#endif
   store(gl_FragCoord);
   store(vec4(gl_FrontFacing, gl_SampleMaskIn[0], gl_HelperInvocation, 7));
   store(in_smooth, in_sample);
   store(in_flat, vec2(in_number));
   store(in_linear, vec2(in_number.y >> 16, in_number.y & 0xffffu));
   store(in_centroid, in_linear_centroid);
   store(vec4(dFdxFine(f), dFdyFine(f), fwidthFine(f), f));
   store(vec4(dFdxCoarse(f), dFdyCoarse(f), fwidthCoarse(f), f));
   store(vec4(dFdx(f), dFdy(f), fwidth(f), f));
   store(interpolateAtCentroid(in_smooth), interpolateAtCentroid(in_linear));
   store(interpolateAtSample(in_smooth, 0), interpolateAtSample(in_linear, NUM_SAMPLES - 1));
   store(interpolateAtSample(in_smooth, (pixel.x + pixel.y * 3) % NUM_SAMPLES), interpolateAtSample(in_centroid, 0));
   store(interpolateAtOffset(in_smooth, vec2(0.25, -0.375)), interpolateAtOffset(in_linear, vec2(-0.5, 0.4375)));
   store(interpolateAtOffset(in_smooth, vec2(pixel % 5) / 8.0 - 0.25), interpolateAtOffset(in_array[1], vec2(0)));
   store(vec4(gl_ClipDistance[0], gl_ClipDistance[1], gl_ClipDistance[pixel.x % 3], gl_ClipDistance[2]));
   store(in_array[pixel.x % 3], in_array[2]);
   store(in_low, in_high);
   store(vec4(in_matrix[1], in_matrix[pixel.y % 2].y));
   store(vec4(block.a, block.b));
   color = vec4(1);
}
