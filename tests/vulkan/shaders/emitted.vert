#version 450
#extension GL_EXT_buffer_reference : require
layout(buffer_reference, std430, buffer_reference_align = 4) buffer seen_vertices { uint greatest; };
layout(push_constant) uniform constants { seen_vertices seen; };
layout(location = 0) out uint number;
void main()
{
   atomicMax(seen.greatest, gl_VertexIndex);
   number = gl_VertexIndex + 1000 * gl_InstanceIndex;
   gl_Position = vec4(0, 0, 0, 1);
}
