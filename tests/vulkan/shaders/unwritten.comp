/* Reads what a descriptor that was never written shows. */
#version 450
layout(local_size_x = 1) in;
layout(constant_id = 0) const int WHICH = 0;
layout(set = 0, binding = 0) writeonly buffer Out { uint result; };
layout(set = 0, binding = 1) readonly buffer Never { uint words[]; };
layout(set = 0, binding = 2, r32ui) uniform readonly uimage2D image;
layout(set = 0, binding = 3) uniform Block { uint word; };

void main()
{
   result = WHICH == 0 ? words[3] : WHICH == 1 ? imageLoad(image, ivec2(1)).x : word;
}
