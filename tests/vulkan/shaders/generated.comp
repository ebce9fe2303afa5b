#version 450
// Each dispatch adds to words of its own.
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint factor = 1;
layout(set = 0, binding = 0) buffer Data { uint data[]; };
layout(push_constant) uniform Push { uint kept, place, value, sequence; };

void main()
{
   uvec3 group = gl_WorkGroupID, groups = gl_NumWorkGroups;
   uint index = (group.z * groups.y + group.y) * groups.x + group.x;

   atomicAdd(data[place + index * gl_WorkGroupSize.x + gl_LocalInvocationID.x],
             kept + factor * value + 1000 * sequence);
}
