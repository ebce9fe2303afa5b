#version 450
layout(location = 0) in vec4 position;
layout(location = 1) in vec4 color;
layout(push_constant) uniform Push { vec4 scale_offset; vec4 tint; };
layout(location = 0) out vec4 smooth_color;
layout(location = 1) flat out vec4 flat_color;
layout(location = 2) noperspective out vec4 linear_color;
out gl_PerVertex { vec4 gl_Position; float gl_PointSize; float gl_ClipDistance[1]; };

void main()
{
   vec2 shift = vec2(0.35 * float(gl_InstanceIndex), -0.2 * float(gl_InstanceIndex));
   gl_Position = vec4(position.xy * scale_offset.xy + (scale_offset.zw + shift) * position.w, position.zw);
   gl_PointSize = 7.0;
   gl_ClipDistance[0] = tint.a < 0.0 ? position.x + 0.3 * position.y : 1.0;
   smooth_color = color * vec4(tint.rgb, abs(tint.a));
   flat_color = smooth_color;
   linear_color = smooth_color;
}
