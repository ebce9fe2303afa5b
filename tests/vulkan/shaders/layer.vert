#version 450
// As view.vert, each instance in a layer of its own.
#extension GL_EXT_multiview : require
#extension GL_ARB_shader_viewport_layer_array : require
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
layout(location = 0) flat out uint view;

void main()
{
   vec2 corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1 & 1);
   gl_Position = vec4(mix(rect.xy, rect.zw, corner), depth, 1.0);
   gl_Layer = gl_InstanceIndex;
   view = gl_ViewIndex;
}
