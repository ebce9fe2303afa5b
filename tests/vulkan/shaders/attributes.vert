#version 450
layout(location = 0) in vec4 as_float;
layout(location = 1) in uvec4 as_uint;
layout(location = 2) in ivec4 as_int;
layout(push_constant) uniform Push { uint which; };
layout(set = 0, binding = 0) buffer Records { uvec4 records[]; };

void main()
{
   records[gl_VertexIndex + 8 * gl_InstanceIndex] =
      which == 0 ? floatBitsToUint(as_float) : which == 1 ? as_uint : uvec4(as_int);
   gl_Position = vec4(2.0, 2.0, 0.5, 1.0);
   gl_PointSize = 1.0;
}
