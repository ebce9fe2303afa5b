#version 450
layout(vertices = 3) out;

layout(location = 0) patch out Part
{
   vec2 a;
   dvec2 d;
} parts[3];
layout(location = 6) out dvec3 wide[];

void
main()
{
   const int next = (gl_InvocationID + 1) % 3;
   const double i = gl_InvocationID;
   parts[gl_InvocationID].a = vec2(i, 10 + i);
   parts[gl_InvocationID].d = dvec2(i + 0.5, 2 * i);
   wide[gl_InvocationID] = dvec3(i, i + 0.25, -i);
   barrier();
   wide[gl_InvocationID][gl_InvocationID] += parts[next].d.x + parts[next].a.y + wide[next][gl_InvocationID];
}
