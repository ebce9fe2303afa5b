/* One row per operation on floats: where it is defined (C), its error in units of the last place and absolute, in
 * GLSL, in C. The operands are a, b, c; C computes in long double. F: a float; M: not of 64 bits; S: only where
 * operands are scalars; I: an integer or a boolean. Errors: Vulkan, "Precision and Operation of SPIR-V Instructions";
 * inherited ones are estimates. E(n): of exponentials, L: of logarithms near 1, T: of sines. */
F(1, 0.5, 0, a + b, a + b)
F(1, 0.5, 0, a - b, a - b)
F(1, 0.5, 0, a * b, a * b)
F(NORMAL(b) && NORMAL(1 / b), 2.5, 0, a / b, a / b)
F(1, 0.5, 0, -a, -a)
F(1, 0.5, 0, abs(a), fabsl(a))
F(!isnan(a), 0.5, 0, sign(a), (a > 0) - (a < 0))
F(1, 0.5, 0, floor(a), floorl(a))
F(1, 0.5, 0, ceil(a), ceill(a))
F(1, 0.5, 0, trunc(a), truncl(a))
F(1, 0.5, 0, roundEven(a), rintl(a))
F(1, 0.5, 0, round(a), rintl(a))
F(!isinf(a), 1, 0, fract(a), a - floorl(a))
F(!isnan(a) && !isnan(b), 0.5, 0, min(a, b), fminl(a, b))
F(!isnan(a) && !isnan(b), 0.5, 0, max(a, b), fmaxl(a, b))
F(1, 0.5, 0, n_min(a, b), fminl(a, b))
F(1, 0.5, 0, n_max(a, b), fmaxl(a, b))
F(!isnan(a) && !isnan(b) && !isnan(c) && !(b > c), 0.5, 0, clamp(a, b, c), fminl(fmaxl(a, b), c))
F(!isnan(b) && !isnan(c) && !(b > c), 0.5, 0, n_clamp(a, b, c), fminl(fmaxl(a, b), c))
F(!isnan(a) && !isnan(b), 0.5, 0, step(a, b), b < a ? 0 : 1)
F(MODERATE(a) && MODERATE(b) && fabsl(a / b) < 16 && fabsl(a / b - rintl(a / b)) > 0.03125L, 1,
  16 * EPSILON * fabsl(b), mod(a, b), a - b * floorl(a / b))
F(MODERATE(a) && MODERATE(b) && fabsl(a / b) < 16 && fabsl(a / b - rintl(a / b)) > 0.03125L, 1,
  16 * EPSILON * fabsl(b), f_rem(a, b), a - b * truncl(a / b))
F(!isnan(a) && a >= 0, 3, 0, sqrt(a), sqrtl(a))
F(!isnan(a) && a > 0 && NORMAL(a), 2, 0, inversesqrt(a), 1 / sqrtl(a))
F(!(fabsl(a * b) > LARGEST) || isinf(a * b), 1, 1.01L * EPSILON * fabsl(a * b) + (fabsl(a * b) <= TINY ? TINY : 0),
  fma(a, b, c), a * b + c)
F(MODERATE(a) && MODERATE(b) && MODERATE(c), 2, 4 * EPSILON * (fabsl(a) + fabsl(b)) * (1 + fabsl(c)), mix(a, b, c),
  a * (1 - c) + b * c)
F(MODERATE(a) && MODERATE(b) && MODERATE(c) && b < c, 8, 32 * EPSILON, smoothstep(b, c, a), smooth(b, c, a))
I(1, isnan(a), isnan(a) != 0)
I(1, isinf(a), isinf(a) != 0)
I(!isnan(a + b), EQUAL(a, b), a == b)
I(1, NOT_EQUAL(a, b), a != b)
I(1, LESS(a, b), a < b)
I(1, LESS_EQUAL(a, b), a <= b)
I(1, LESS(b, a), a > b)
I(1, LESS_EQUAL(b, a), a >= b)
I(1, f_ord_not_equal(a, b), !UNORDERED(a, b) && a != b)
I(1, f_unord_equal(a, b), UNORDERED(a, b) || a == b)
I(1, f_unord_less(a, b), UNORDERED(a, b) || a < b)
I(1, f_unord_greater(a, b), UNORDERED(a, b) || a > b)
I(1, f_unord_less_equal(a, b), UNORDERED(a, b) || a <= b)
I(1, f_unord_greater_equal(a, b), UNORDERED(a, b) || a >= b)
F(1, 0.5, 0, mix(a, b, LESS(b, c)), b < c ? b : a)
F(FINITE(a), 0.5, 0, frexp_part(a), frexpl(a, &ignored))
I(FINITE(a), frexp_power(a), power_of(a))
F(!isnan(a), 0.5, 0, modf_part(a), isinf(a) ? 0 : a - truncl(a))
F(!isnan(a), 0.5, 0, modf_whole(a), truncl(a))
F(NORMAL(a) && NORMAL(ldexpl(a, 3)), 0.5, 0, LDEXP(a, 3), ldexpl(a, 3))
F(NORMAL(a) && NORMAL(ldexpl(a, -5)), 0.5, 0, LDEXP(a, -5), ldexpl(a, -5))
M(1, 2.5, 0, radians(a), a * 0.017453292519943295769L)
M(fabsl(a) < LARGEST / 60, 2.5, 0, degrees(a), a * 57.295779513082320877L)
M(!isnan(a), E(a), 0, exp(a), expl(a))
M(!isnan(a), E(a), 0, exp2(a), exp2l(a))
M(NORMAL(a) && a > 0, 4, L(a), log(a), logl(a))
M(NORMAL(a) && a > 0, 3, L(a), log2(a), log2l(a))
M(NORMAL(a) && a > 0 && MODERATE(b) && fabsl(b * log2l(a)) < 120, E(b * log2l(a)) + 4 + 3 * fabsl(b * log2l(a)), 0,
  pow(a, b), powl(a, b))
M(ours && b == 0 && (a == 0 || isinf(a) || isnan(a)), 0.5, 0, pow(a, b), 1)
M(fabsl(a) <= 3.14159265L, 1, T, sin(a), sinl(a))
M(fabsl(a) <= 3.14159265L, 1, T, cos(a), cosl(a))
M(fabsl(a) <= 1.5L, 8, 16 * T, tan(a), tanl(a))
M(fabsl(a) <= 1, 4096, 8 * EPSILON, asin(a), asinl(a))
M(fabsl(a) <= 1, 4096, 8 * EPSILON, acos(a), acosl(a))
M(!isnan(a), 4096, TINY, atan(a), atanl(a))
M(FINITE(a) && FINITE(b) && NORMAL(b / a) && (a != 0 || b != 0), 4096, 16 * TINY, atan(a, b), atan2l(a, b))
M(fabsl(a) < (BITS_OF == 16 ? 10 : 80), E(a) + 4, 8 * EPSILON, sinh(a), sinhl(a))
M(fabsl(a) < (BITS_OF == 16 ? 10 : 80), E(a) + 4, 0, cosh(a), coshl(a))
M(!isnan(a), 16, 8 * EPSILON, tanh(a), tanhl(a))
M(fabsl(a) < 60000 && fabsl(a * a) < LARGEST, 16, 4 * L(1), asinh(a), asinhl(a))
M(a >= 1 && a * a < LARGEST, 16, 4 * L(1) + 4 * EPSILON / sqrtl(fmaxl(EPSILON, a - 1)), acosh(a), acoshl(a))
M(fabsl(a) < 0.96875L, 16, 4 * L(1), atanh(a), atanhl(a))
S(MODERATE(a) && MODERATE(b) && MODERATE(c), 2, 4 * EPSILON * (fabsl(a * b) + fabsl(b * c) + fabsl(c * a)),
  dot(VEC3(a, b, c), VEC3(b, c, a)), a * b + b * c + c * a)
S(MODERATE(a) && MODERATE(b) && MODERATE(c), 2, 4 * EPSILON * (fabsl(a * b) + fabsl(c * c)),
  cross(VEC3(a, b, c), VEC3(b, c, a)).y, c * b - a * a)
S(MODERATE(a) && MODERATE(b) && MODERATE(c) && SQUARES, 8, 0, length(VEC3(a, b, c)), sqrtl(a * a + b * b + c * c))
S(MODERATE(a), 4, 0, length(a), fabsl(a))
S(MODERATE(a) && MODERATE(b) && MODERATE(c) && SQUARES, 8, 8 * EPSILON * (fabsl(a) + fabsl(b) + fabsl(c)),
  distance(VEC2(a, b), VEC2(c, a)), hypotl(a - c, b - a))
S(MODERATE(a) && MODERATE(b) && MODERATE(c) && SQUARES, 12, 0, normalize(VEC4(a, b, c, 1)).y,
  b / sqrtl(a * a + b * b + c * c + 1))
S(MODERATE(a) && MODERATE(b) && MODERATE(c) && fabsl(b * c + c * a) > 1e-3L, 0.5, 0,
  faceforward(VEC2(a, b), VEC2(b, c), VEC2(c, a)).x, b * c + c * a < 0 ? a : -a)
S(MODERATE(a) && MODERATE(b) && MODERATE(c), 4,
  16 * EPSILON * (fabsl(a) + fabsl(2 * a * b * b) + fabsl(2 * b * c * a)), reflect(VEC2(a, c), VEC2(b, a)).x,
  a - 2 * (b * a + a * c) * b)
S(MODERATE(a) && MODERATE(b), 4, 16 * EPSILON * (fabsl(a) + fabsl(2 * a * b * b)), reflect(a, b), a - 2 * b * a * b)
S(1, 4, 4 * EPSILON, refract(VEC2(0, -1), VEC2(0, 1), FT(0.5)).y, -1)
S(1, 0.5, 0, refract(VEC2(1, 0), VEC2(0, 1), FT(2)).x, 0)
S(MODERATE(a) && MODERATE(b) && MODERATE(c), 2, 8 * EPSILON * (fabsl(a * c) + fabsl(b * b)),
  determinant(MAT2(a, b, b, c)), a * c - b * b)
S(SMALL(a) && SMALL(b) && SMALL(c), 2, 512 * EPSILON, determinant(MAT3(a, b, c, c, a, b, b, b, a)),
  a * (a * a - b * b) - c * (b * a - c * b) + b * (b * b - c * a))
S(SMALL(a) && SMALL(b) && SMALL(c), 2, 2048 * EPSILON,
  determinant(MAT4(a, b, c, 1, b, 2, c, a, 0, c, 3, b, 1, 0, a, 4)), determinant4(a, b, c))
S(SMALL(a) && SMALL(b) && SMALL(c), 64, 256 * EPSILON, inverse(MAT2(a + FT(9), b, c, a - FT(9)))[1].x,
  -c / ((a + FT(9)) * (a - FT(9)) - b * c))
S(SMALL(a) && SMALL(b) && SMALL(c), 64, 512 * EPSILON,
  (inverse(MAT3(a + FT(9), b, c, c, a - FT(9), b, b, b, 8)) * MAT3(a + FT(9), b, c, c, a - FT(9), b, b, b, 8))[1].y,
  1)
S(SMALL(a) && SMALL(b) && SMALL(c), 64, 1024 * EPSILON,
  (inverse(MAT4(9, b, c, 1, b, 8, c, a, 0, c, 9, b, 1, 0, a, 9)) *
   MAT4(9, b, c, 1, b, 8, c, a, 0, c, 9, b, 1, 0, a, 9))[3].w, 1)
S(SMALL(a) && SMALL(b) && SMALL(c), 64, 1024 * EPSILON,
  (inverse(MAT4(9, b, c, 1, b, 8, c, a, 0, c, 9, b, 1, 0, a, 9)) *
   MAT4(9, b, c, 1, b, 8, c, a, 0, c, 9, b, 1, 0, a, 9))[2].y, 0)
S(1, 0.5, 0, outerProduct(VEC2(a, b), VEC3(b, c, a))[1].y, b * c)
S(1, 0.5, 0, transpose(MAT2(a, b, c, a))[0].y, c)
S(1, 0.5, 0, (MAT2(a, b, c, a) * b)[1].x, c * b)
S(1, 0.5, 0, (VEC3(a, b, c) * b).z, c * b)
S(MODERATE(a) && MODERATE(b) && MODERATE(c), 2, 4 * EPSILON * (fabsl(a * c) + fabsl(b * a)),
  (VEC2(a, b) * MAT2(b, c, c, a)).y, a * c + b * a)
S(MODERATE(a) && MODERATE(b) && MODERATE(c), 2, 4 * EPSILON * (fabsl(b * a) + fabsl(c * b)),
  (MAT2(b, c, c, a) * VEC2(a, b)).x, b * a + c * b)
S(MODERATE(a) && MODERATE(b) && MODERATE(c), 2, 4 * EPSILON * (fabsl(a * a) + fabsl(c * b)),
  (MAT2(a, b, c, a) * MAT2(b, c, a, b))[1].x, a * a + c * b)
