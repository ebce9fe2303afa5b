#version 450
/* Linear and smooth, of two components of three, depth; and some of it is not there. */
layout(location = 3) noperspective in vec3 direction;
layout(location = 5, component = 2) in float height;
layout(location = 0) out vec4 target;

void main()
{
   if ((int(gl_FragCoord.x) + int(gl_FragCoord.y)) % 5 == 0)
      discard;
   target = vec4(direction.z * 0.5 + 0.5, direction.x * 0.5 + 0.5, height * 0.5 + 0.5, gl_FragCoord.z);
}
