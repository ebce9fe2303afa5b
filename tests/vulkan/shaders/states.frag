#version 450
layout(location = 0) in vec4 smooth_color;
layout(location = 1) flat in vec4 flat_color;
layout(location = 2) noperspective in vec4 linear_color;
layout(location = 0) out vec4 result;
layout(constant_id = 0) const int mode = 0;

void main()
{
   result = mode == 1 ? flat_color : mode == 2 ? linear_color : smooth_color;
   if (mode == 3 && (int(gl_FragCoord.x) + int(gl_FragCoord.y)) % 3 == 0)
      discard;
   if (mode == 4)
      result = gl_FrontFacing ? vec4(0.9, 0.2, 0.1, 1.0) : vec4(0.1, 0.3, 0.9, 1.0);
   if (mode == 5)
      result = vec4(fract(gl_FragCoord.xy / 16.0), gl_FragCoord.z, gl_FragCoord.w);
   if (mode == 6)
      gl_FragDepth = 0.3 + 0.4 * smooth_color.r;
   else
      gl_FragDepth = gl_FragCoord.z;
}
