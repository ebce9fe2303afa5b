ldimm    r0l, 0
load     r1, du0, 0, i32, x, a
load     r2, du0, 1, i32, x, a
wait     a
iadd     r3, ^r1, 1
load     r4, du0, 2, i32, x, a
if       r3, 0, 1, ine
load     r5, du0, 3, i32, x, a
store    r3, du0, 3, i32, x, b
else     0.0, 0.0, 1, feq
wait     a
ldimm    r5, 7
pop_exec 1
iadd     r6, ^r5, ^r4
wait     a
iadd     r7, r7, r8
load     r8, du0, r7, i32, x, a
while    r7, 9, 1, ult
jmp_any  -24
pop_exec 1
wait     a
wait     b
barrier
load     r9, du0, 0, i32, x, a
load     r10, du0, 1, i32, x, a
load     r11, du0, 2, i32, x, a
load     r12, du0, 3, i32, x, a
load     r13, du0, 4, i32, x, a
load     r14, du0, 5, i32, x, a
load     r15, du0, 6, i32, x, a
load     r16, du0, 7, i32, x, a
wait     a
load     r17, du0, 8, i32, x, a
load     r18, du0, 9, i32, x, a
load     r19, du0, 10, i32, x, a
load     r20, du0, 11, i32, x, a
load     r21, du0, 12, i32, x, a
load     r22, du0, 13, i32, x, a
load     r23, du0, 14, i32, x, a
load     r24, du0, 15, i32, x, a
wait     a
load     r25, du0, 16, i32, x, a
wait     a
iadd     r1, ^r25, ^r9
stop
