/* quad.vert that can also choose the point size, the layer and the viewport. */
#version 450
#ifdef LAYERS
#extension GL_ARB_shader_viewport_layer_array : require
layout(location = 0) flat out vec2 layer;
#endif
layout(push_constant) uniform Push { vec4 rectangle; vec4 color; float depth; float size; } push;
void main()
{
   gl_Position = vec4(gl_VertexIndex % 2 == 0 ? push.rectangle.x : push.rectangle.z,
                      gl_VertexIndex < 2 ? push.rectangle.y : push.rectangle.w, push.depth, 1);
   gl_PointSize = push.size;
#ifdef LAYERS
   layer = vec2(gl_InstanceIndex, gl_InstanceIndex % 3);
   gl_Layer = gl_InstanceIndex;
   gl_ViewportIndex = gl_InstanceIndex % 3;
#endif
}
