mov      r0, thread_in_grid_x
csel     r1, r0, u68, r0, u68, ult
load     r1, du64, r1, i32, x, a
csel     r0, ^r0, u69, ^r0, u69, ult
load     r2, du66, r0, i32, x, a
wait     a
ffma     r1, ^r1, 2.0, ^r2
store    r1, du66, r0, i32, x, b
stop
