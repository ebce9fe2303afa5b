#version 450
#extension GL_ARB_shader_draw_parameters : require
layout(location = 0) in uint per_vertex;
layout(location = 1) in uint per_instance;
layout(push_constant) uniform Push { uint tag; };
layout(set = 0, binding = 0) buffer Records { uint count; uint unused[3]; uvec4 records[]; };

void main()
{
   uint slot = atomicAdd(count, 1);
   records[2 * slot] = uvec4(gl_VertexIndex, gl_InstanceIndex, gl_BaseVertexARB, gl_BaseInstanceARB);
   records[2 * slot + 1] = uvec4(gl_DrawIDARB, per_vertex, per_instance, tag);
   gl_Position = vec4(2.0, 2.0, 0.5, 1.0);
   gl_PointSize = 1.0;
}
