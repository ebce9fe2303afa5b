/* Control flow where all lanes differ (MODE 0), where a group agrees (1), and with a constant (2). */
#version 450
#extension GL_GOOGLE_include_directive : enable
layout(local_size_x_id = 2) in;
layout(constant_id = 0) const int MODE = 0;
layout(constant_id = 1) const int VALUE = 3;
layout(constant_id = 2) const int SIZE = 64;
layout(set = 0, binding = 0) writeonly buffer Result { int result[]; };
#include "control_flow.inl"
#include "control.inl"
const int COLUMNS = 17;

void main()
{
   int x = MODE == 0 ? int(gl_GlobalInvocationID.x % 64u) : MODE == 1 ? int(gl_WorkGroupID.x) : VALUE;
   int at = int(gl_GlobalInvocationID.x) * (COLUMNS + 1);
   result[at + 0] = early_returns(x);
   result[at + 1] = return_in_loop(x);
   result[at + 2] = switch_fall(x);
   result[at + 3] = switch_in_loop(x);
   result[at + 4] = nested_breaks(x);
   result[at + 5] = do_while(x);
   result[at + 6] = calls(x);
   result[at + 7] = short_circuit(x);
   result[at + 8] = nested_switch(x);
   result[at + 9] = loop_values(x);
   result[at + 10] = empty_arms(x);
   result[at + 11] = many_phis(x);
   result[at + 12] = three_loops(x);
   result[at + 13] = sparse_switch(x);
   result[at + 14] = wave_walk(x);
   result[at + 15] = unreached(x);
   result[at + 16] = masks(x);
   if (x == 13)
      return;
   result[at + COLUMNS] = 12345;
}
