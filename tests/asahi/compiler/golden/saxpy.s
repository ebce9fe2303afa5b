mov      r0, thread_in_grid_x
load     r2_r3_r4_r5, du0, 0, i32, xyzw, a
load     r6_r7_r8_r9, du0, 1024, i32, xyzw, b
wait     a
isub     r1, r4, 4
shr      r1, ^r1, 2
iadd     r1, ^r1, 1
csel     r1, ^r4, 4, 0, ^r1, ult
csel     r3, r0, ^r1, ^r3, 0, ult
load     r1, dr2, r0, i32, x, a
wait     b
isub     r2, r8, 4
shr      r2, ^r2, 2
iadd     r2, ^r2, 1
csel     r2, ^r8, 4, 0, ^r2, ult
csel     r7, r0, ^r2, ^r7, 0, ult
load     r2, dr6, r0, i32, x, b
wait     a
wait     b
ffma     r1, ^r1, 2.0, ^r2
store    r1, dr6, r0, i32, x, a
stop
