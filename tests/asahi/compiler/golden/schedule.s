mov      r0, thread_in_threadgroup_x
mov      r1, thread_in_threadgroup_y
load     r2, du0, 0, i32, x, a
load     r3, du0, 1, i32, x, a
iadd     r0, ^r0, ^r1
wait     a
iadd     r1, ^r2, 1
iadd     r2, ^r3, 2
store    r1, du4, 0, i32, x, b
load     r1, du0, 2, i32, x, a
load     r3, du0, 3, i32, x, coherent1, a
load     r4, du0, 4, i32, x, coherent1, a
wait     a
iadd     r1, ^r1, ^r2
iadd     r1, ^r3, ^r1
iadd     r1, ^r4, ^r1
wait     b
barrier
load     r2, du0, 5, i32, x, a
wait     a
iadd     r1, ^r2, ^r1
iadd     r0, ^r1, ^r0
store    r0, du4, 1, i32, x, b
stop
