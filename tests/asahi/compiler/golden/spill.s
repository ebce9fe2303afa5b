stack_adjust 4
load     r0_r1_r2_r3, du0, 0, i32, xyzw, a
load     r4_r5_r6_r7, du0, 4, i32, xyzw, a
wait     a
stack_store r0, 0, i32, x, b
iadd     r8, ^r0, r4
iadd     r9, ^r1, r5
iadd     r10, ^r2, r6
iadd     r11, ^r3, r7
store    r8_r9_r10_r11, du0, 8, i32, xyzw, b
mov      r8, ^r6
mov      r10, ^r4
mov      r9, ^r5
store    r7_r8_r9_r10, du0, 12, i32, xyzw, b
ldimm    r0l, 4660
lstore   r0l, 0, i16, x
stack_load r0, 0, i32, x, a
wait     a
store    r0, du0, 16, i32, x, b
stop
