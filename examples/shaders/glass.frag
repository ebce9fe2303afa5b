#version 450
layout(location = 0) in vec2 corner;
layout(location = 1) flat in vec4 color;
layout(location = 0) out vec4 result;

void main()
{
   float r2 = dot(corner, corner);
   if (r2 > 1.0)
      discard;
   result = vec4(color.rgb * (0.4 + 0.6 * r2), color.a * (0.25 + 0.75 * r2));
}
