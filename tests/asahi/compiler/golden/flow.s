ldimm    r0l, 0
mov      r1, thread_in_threadgroup_x
ldimm    r2, 0
if       r1, 3, 1, ugte
iadd     r3, r1, 1
store    r3, du0, r1, i32, x, b
pop_exec 1
mov      r3, thread_index_in_simdgroup
if       r2, r3, 1, sgt
if       r2, 9, 1, ieq
ldimm    r0l, 4
pop_exec 1
iadd     r2, r2, 2
ldimm    r0l, 2
pop_exec 1
if       r2, 0.25, 1, flt
store    r2, du0, 4, i32, x, b
load     r3, du0, 8, i32, x, a
wait     a
fadd     r3, r3, r3
store    r3, du0, 5, i32, x, b
else     0.0, 0.0, 1, feq
store    r2, du2, 4, i32, x, b
load     r3, du2, 8, i32, x, a
wait     a
fmul     r3, r3, r3
wait     b
store    r3, du2, 5, i32, x, b
pop_exec 1
iadd     r2, r2, 1
while    0.0, 0.0, 2, feq
jmp_any  -142
pop_exec 2
store    r2, du0, r1.sx, lsl 2, i32, x, b
stop
