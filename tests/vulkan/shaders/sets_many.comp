#version 450
// One block in each of many sets; word i of the output is what set i holds.
layout(local_size_x = 1) in;
#define BLOCK(n, Name, name) layout(set = n, binding = 0) readonly buffer Name { uint value; } name;
layout(set = 0, binding = 0) writeonly buffer Output { uint words[]; };
BLOCK(1, S1, s1) BLOCK(2, S2, s2) BLOCK(3, S3, s3) BLOCK(4, S4, s4) BLOCK(5, S5, s5) BLOCK(6, S6, s6) BLOCK(7, S7, s7)
#ifdef ALL
BLOCK(8, S8, s8) BLOCK(9, S9, s9) BLOCK(10, S10, s10) BLOCK(11, S11, s11) BLOCK(12, S12, s12) BLOCK(13, S13, s13)
BLOCK(14, S14, s14) BLOCK(15, S15, s15) BLOCK(16, S16, s16) BLOCK(17, S17, s17) BLOCK(18, S18, s18)
BLOCK(19, S19, s19) BLOCK(20, S20, s20) BLOCK(21, S21, s21) BLOCK(22, S22, s22) BLOCK(23, S23, s23)
BLOCK(24, S24, s24) BLOCK(25, S25, s25) BLOCK(26, S26, s26) BLOCK(27, S27, s27) BLOCK(28, S28, s28)
BLOCK(29, S29, s29) BLOCK(30, S30, s30) BLOCK(31, S31, s31)
#endif

void main()
{
   words[1] = s1.value; words[2] = s2.value; words[3] = s3.value; words[4] = s4.value; words[5] = s5.value;
   words[6] = s6.value; words[7] = s7.value;
#ifdef ALL
   words[8] = s8.value; words[9] = s9.value; words[10] = s10.value; words[11] = s11.value; words[12] = s12.value;
   words[13] = s13.value; words[14] = s14.value; words[15] = s15.value; words[16] = s16.value; words[17] = s17.value;
   words[18] = s18.value; words[19] = s19.value; words[20] = s20.value; words[21] = s21.value; words[22] = s22.value;
   words[23] = s23.value; words[24] = s24.value; words[25] = s25.value; words[26] = s26.value; words[27] = s27.value;
   words[28] = s28.value; words[29] = s29.value; words[30] = s30.value; words[31] = s31.value;
#endif
}
