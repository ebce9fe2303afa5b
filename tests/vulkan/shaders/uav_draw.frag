#version 450
layout(constant_id = 0) const bool stores = false;
layout(constant_id = 1) const bool kills = false;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(location = 0) out vec4 colour;

void main()
{
   if (kills && mod(gl_FragCoord.x, 2.0) < 1.0)
      discard;
   if (stores)
      data[uint(gl_FragCoord.x)] = 7u;
   colour = vec4(0.5);
}
