/* A number for each sample of a pixel. */
#version 450
layout(push_constant) uniform Push { vec4 rect; vec4 color; float depth; };
layout(location = 0) out uint number;
void main()
{
   number = uint(gl_FragCoord.x) + 16u * uint(gl_FragCoord.y) + 256u * uint(color.x) + 4096u * uint(gl_SampleID);
}
