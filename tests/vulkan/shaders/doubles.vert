#version 450
layout(push_constant) uniform Push { dvec2 at; };
void
main()
{
   double least = at.x < at.y ? sqrt(at.x) : at.y * 3.0LF;
   gl_Position = vec4(float(least));
}
