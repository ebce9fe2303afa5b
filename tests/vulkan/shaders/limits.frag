#version 450
layout(location = 0) flat in uvec4 v[30];
layout(location = 0) out uvec4 o0;
layout(location = 1) out uvec4 o1;
layout(location = 2) out uvec4 o2;
layout(location = 3) out uvec4 o3;
layout(location = 4) out uvec4 o4;
layout(location = 5) out uvec4 o5;
layout(location = 6) out uvec4 o6;
layout(location = 7) out uvec4 o7;

void main()
{
   o0 = v[0] + v[1] + v[2] + v[3];
   o1 = v[4] + v[5] + v[6] + v[7];
   o2 = v[8] + v[9] + v[10] + v[11];
   o3 = v[12] + v[13] + v[14] + v[15];
   o4 = v[16] + v[17] + v[18] + v[19];
   o5 = v[20] + v[21] + v[22] + v[23];
   o6 = v[24] + v[25] + v[26] + v[27];
   o7 = v[28] + v[29];
}
