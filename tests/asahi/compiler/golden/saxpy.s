mov      r0, thread_in_grid_x
mov      r2, u64
mov      r3, u73
csel     r1, r0, u72, r0, u72, ult
load     r1, dr2, r1, i32, x, a
mov      r2, u68
mov      r3, u75
csel     r4, r0, u74, r0, u74, ult
load     r2, dr2, r4, i32, x, a
wait     a
ffma     r1, ^r1, 2.0, ^r2
csel     r3, r0, u76, u69, 0, ult
mov      r2, u68
store    r1, dr2, r0, i32, x, b
stop
