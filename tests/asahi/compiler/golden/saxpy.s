mov      r0, thread_in_grid_x
csel     r3, r0, u72, u65, 0, ult
mov      r2, u64
load     r1, dr2, r0, i32, x, a
csel     r3, r0, u73, u69, 0, ult
mov      r2, u68
load     r4, dr2, r0, i32, x, a
wait     a
ffma     r1, ^r1, 2.0, ^r4
store    r1, dr2, r0, i32, x, b
stop
