#version 450
layout(local_size_x_id = 1) in;
layout(constant_id = 0) const uint factor = 3;
layout(push_constant) uniform Push { uint term; };
layout(set = 0, binding = 0) writeonly buffer Numbers { uint numbers[]; };

void main()
{
   numbers[gl_GlobalInvocationID.x] = gl_GlobalInvocationID.x * factor + term;
}
