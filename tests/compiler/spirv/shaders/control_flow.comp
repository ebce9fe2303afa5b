#version 450
#extension GL_GOOGLE_include_directive : enable
layout(local_size_x = 64) in;
layout(set = 0, binding = 0) buffer Result { int result[]; };
#include "control_flow.inl"
void main()
{
   int x = int(gl_LocalInvocationIndex), at = x * 12;
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
   if (x == 13)
      return;
   result[at + 11] = 12345;
}
