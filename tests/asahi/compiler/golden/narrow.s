mov      r0, thread_in_grid_x
mov      r1, thread_in_threadgroup_x
and      r2l, r0, 255
imul     r2h, r1, 0
shr      r3, r0, 16
and      r4, r0, 15
and      r5, r0, 31
iadd     r6, r1, r3
and      r7, r0, 63
iadd     r2h, r2l, ^r2h
iadd     r7, r6, ^r7.sx
csel     r5, ^r5, 3, r0, ^r7, ult
shl      r5, ^r5, ^r2l
iadd     r2, ^r5, ^r2h
store    r4, du0, r3, i32, x, b
store    r2, du0, r1, i32, x, b
store    r6, du0, r0, i32, x, b
stop
