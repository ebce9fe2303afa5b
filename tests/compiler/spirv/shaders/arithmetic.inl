/* One row per instruction: number, expression in GLSL, expression in C. F: a float, exact; A: a float, about; U: 32
 * bits; L: 64 bits, in two words; D: a double, in two words. The operands are fa fb fc (floats), ia ib (int), ua ub
 * (uint), la lb (int64), qa qb (uint64), da db (double), and the same narrowed. */
F(0, fa + fb, fa + fb)                                        /* FAdd */
F(1, fa - fb, fa - fb)                                        /* FSub */
F(2, fa * fb, fa * fb)                                        /* FMul */
F(3, fa / fb, fa / fb)                                        /* FDiv */
F(4, -fa, -fa)                                                /* FNegate */
A(5, mod(fa, fb), fa - fb * floorf(fa / fb))                  /* FMod */
U(6, ua + ub, ua + ub)                                        /* IAdd */
U(7, ua - ub, ua - ub)                                        /* ISub */
U(8, ua * ub, ua * ub)                                        /* IMul */
U(9, uint(ia / ib), (uint32_t)(ia / ib))                      /* SDiv */
U(10, ua / ub, ua / ub)                                       /* UDiv */
U(11, ua % ub, ua % ub)                                       /* UMod */
U(12, uint(ia % ib), (uint32_t)floor_mod(ia, ib))             /* SMod */
U(13, uint(-ia), 0u - (uint32_t)ia)                           /* SNegate */
U(14, ua << (ub & 31u), ua << (ub & 31))                      /* ShiftLeftLogical */
U(15, ua >> (ub & 31u), ua >> (ub & 31))                      /* ShiftRightLogical */
U(16, uint(ia >> (ub & 31u)), (uint32_t)(ia >> (ub & 31)))    /* ShiftRightArithmetic */
U(17, ua & ub, ua & ub)                                       /* BitwiseAnd */
U(18, ua | ub, ua | ub)                                       /* BitwiseOr */
U(19, ua ^ ub, ua ^ ub)                                       /* BitwiseXor */
U(20, ~ua, ~ua)                                               /* Not */
U(21, bitfieldReverse(ua), reverse(ua))                       /* BitReverse */
U(22, uint(bitCount(ua)), (uint32_t)__builtin_popcount(ua))   /* BitCount */
U(23, bitfieldExtract(ua, 5, 9), ua >> 5 & 511)               /* BitFieldUExtract */
U(24, uint(bitfieldExtract(ia, 3, 7)), (uint32_t)((int32_t)((uint32_t)ia << 22) >> 25)) /* BitFieldSExtract */
U(25, bitfieldInsert(ua, ub, 4, 12), (ua & ~0xfff0u) | (ub << 4 & 0xfff0)) /* BitFieldInsert */
U(26, uint(ia == ib), ia == ib)                               /* IEqual */
U(27, uint(ia != ib), ia != ib)                               /* INotEqual */
U(28, uint(ua > ub), ua > ub)                                 /* UGreaterThan */
U(29, uint(ia > ib), ia > ib)                                 /* SGreaterThan */
U(30, uint(ua >= ub), ua >= ub)                               /* UGreaterThanEqual */
U(31, uint(ia >= ib), ia >= ib)                               /* SGreaterThanEqual */
U(32, uint(ua < ub), ua < ub)                                 /* ULessThan */
U(33, uint(ia < ib), ia < ib)                                 /* SLessThan */
U(34, uint(ua <= ub), ua <= ub)                               /* ULessThanEqual */
U(35, uint(ia <= ib), ia <= ib)                               /* SLessThanEqual */
U(36, uint(fa == fb), fa == fb)                               /* FOrdEqual */
U(37, uint(fa != fb), fa != fb)                               /* FUnordNotEqual */
U(38, uint(fa < fb), fa < fb)                                 /* FOrdLessThan */
U(39, uint(fa > fb), fa > fb)                                 /* FOrdGreaterThan */
U(40, uint(fa <= fb), fa <= fb)                               /* FOrdLessThanEqual */
U(41, uint(fa >= fb), fa >= fb)                               /* FOrdGreaterThanEqual */
U(42, uint((fa < fb) == (ia < ib)), (fa < fb) == (ia < ib))   /* LogicalEqual */
U(43, uint((fa < fb) != (ia < ib)), (fa < fb) != (ia < ib))   /* LogicalNotEqual */
U(44, uint(!(fa < fb)), !(fa < fb))                           /* LogicalNot */
U(45, uint(any(lessThan(vec2(fa, fc), vec2(fb)))), fa < fb || fc < fb)   /* Any */
U(46, uint(all(lessThan(vec2(fa, fc), vec2(fb)))), fa < fb && fc < fb)   /* All */
U(47, uint(isnan(fa / (fb - fb))), fa == 0)                   /* IsNan */
U(48, uint(isinf(fa / (fb - fb))), fa != 0)                   /* IsInf */
F(49, fa < fb ? fc : fb, fa < fb ? fc : fb)                   /* Select or a selection */
F(50, mix(fa, fb, fa < fc), fa < fc ? fb : fa)                /* Select */
A(51, dot(vec3(fa, fb, fc), vec3(fb, fc, fa)), fa * fb + fb * fc + fc * fa) /* Dot */
F(52, float(ia), (float)ia)                                   /* ConvertSToF */
F(53, float(ua), (float)ua)                                   /* ConvertUToF */
U(54, uint(int(fa)), (uint32_t)(int32_t)fa)                   /* ConvertFToS */
U(55, uint(abs(fa)), (uint32_t)fabsf(fa))                     /* ConvertFToU */
U(56, floatBitsToUint(fa), bits(fa))                          /* Bitcast */
U(57, carry(ua, ub), (uint32_t)((uint64_t)ua + ub >> 32))     /* IAddCarry */
U(58, borrow(ua, ub), ua < ub)                                /* ISubBorrow */
U(59, high(ua, ub), (uint32_t)((uint64_t)ua * ub >> 32))      /* UMulExtended */
U(60, uint(high(ia, ib)), (uint32_t)((int64_t)ia * ib >> 32)) /* SMulExtended */
F(61, round_even(fa), rintf(fa))                              /* RoundEven */
F(62, trunc(fa), truncf(fa))                                  /* Trunc */
F(63, abs(fa), fabsf(fa))                                     /* FAbs */
U(64, uint(abs(ia)), (uint32_t)(ia < 0 ? -ia : ia))           /* SAbs */
F(65, sign(fa), (float)((fa > 0) - (fa < 0)))                 /* FSign */
U(66, uint(sign(ia)), (uint32_t)((ia > 0) - (ia < 0)))        /* SSign */
F(67, floor(fa), floorf(fa))                                  /* Floor */
F(68, ceil(fa), ceilf(fa))                                    /* Ceil */
F(69, fract(fa), fa - floorf(fa))                             /* Fract */
A(70, radians(fa), fa * 0.017453292f)                         /* Radians */
A(71, degrees(fa), fa * 57.29578f)                            /* Degrees */
A(72, sin(fa), sinf(fa))                                      /* Sin */
A(73, cos(fa), cosf(fa))                                      /* Cos */
A(74, tan(fc), tanf(fc))                                      /* Tan */
A(75, asin(fc), asinf(fc))                                    /* Asin */
A(76, acos(fc), acosf(fc))                                    /* Acos */
A(77, atan(fa), atanf(fa))                                    /* Atan */
A(78, atan(fa, fb), atan2f(fa, fb))                           /* Atan2 */
A(79, sinh(fc), sinhf(fc))                                    /* Sinh */
A(80, cosh(fa), coshf(fa))                                    /* Cosh */
A(81, tanh(fa), tanhf(fa))                                    /* Tanh */
A(82, asinh(fa), asinhf(fa))                                  /* Asinh */
A(83, acosh(abs(fa) + 1.5), acoshf(fabsf(fa) + 1.5f))         /* Acosh */
A(84, atanh(fc), atanhf(fc))                                  /* Atanh */
A(85, pow(abs(fa) + 0.5, fc), powf(fabsf(fa) + 0.5f, fc))     /* Pow */
A(86, exp(fa), expf(fa))                                      /* Exp */
A(87, log(abs(fa) + 0.1), logf(fabsf(fa) + 0.1f))             /* Log */
A(88, exp2(fa), exp2f(fa))                                    /* Exp2 */
A(89, log2(abs(fa) + 0.1), log2f(fabsf(fa) + 0.1f))           /* Log2 */
F(90, sqrt(abs(fa)), sqrtf(fabsf(fa)))                        /* Sqrt */
A(91, inversesqrt(abs(fa) + 0.1), 1 / sqrtf(fabsf(fa) + 0.1f)) /* InverseSqrt */
A(92, determinant(mat3(fa, fb, fc, fc, fa, fb, fb, fb, fa)),
  fa * (fa * fa - fb * fb) - fc * (fb * fa - fc * fb) + fb * (fb * fb - fc * fa)) /* Determinant */
A(93, (inverse(mat2(fa, fc, fc, fb)) * vec2(1, 0)).x, fb / (fa * fb - fc * fc)) /* MatrixInverse, MatrixTimesVector */
F(94, modf(fa, whole), fa - truncf(fa))                       /* Modf */
F(95, min(fa, fb), fminf(fa, fb))                             /* FMin */
U(96, min(ua, ub), ua < ub ? ua : ub)                         /* UMin */
U(97, uint(min(ia, ib)), (uint32_t)(ia < ib ? ia : ib))       /* SMin */
F(98, max(fa, fb), fmaxf(fa, fb))                             /* FMax */
U(99, max(ua, ub), ua > ub ? ua : ub)                         /* UMax */
U(100, uint(max(ia, ib)), (uint32_t)(ia > ib ? ia : ib))      /* SMax */
F(101, clamp(fa, -2.0, 3.0), fminf(fmaxf(fa, -2), 3))         /* FClamp */
U(102, clamp(ua, 7u, 1000u), ua < 7 ? 7 : ua > 1000 ? 1000 : ua) /* UClamp */
U(103, uint(clamp(ia, -9, 9)), (uint32_t)(ia < -9 ? -9 : ia > 9 ? 9 : ia)) /* SClamp */
A(104, mix(fa, fb, fc), fa * (1 - fc) + fb * fc)              /* FMix */
F(105, step(fa, fb), fb < fa ? 0 : 1)                         /* Step */
A(106, smoothstep(-4.0, 4.0, fa), smooth(fa))                 /* SmoothStep */
A(107, fma(fa, fb, fc), fmaf(fa, fb, fc))                     /* Fma */
A(108, frexp(fa, power), frexpf(fa, &ignored))                /* Frexp */
F(109, ldexp(fa, 5), fa * 32)                                 /* Ldexp */
U(110, packSnorm4x8(vec4(fc, -fc, 1, -1)),
  snorm(fc, 127, 255) | snorm(-fc, 127, 255) << 8 | 127 << 16 | 0x81000000u) /* PackSnorm4x8 */
U(111, packUnorm4x8(vec4(fc, 0.5, 1, 2)), unorm(fc, 255) | 0xffff8000u)      /* PackUnorm4x8 */
U(112, packSnorm2x16(vec2(fc, 1)), snorm(fc, 32767, 65535) | 0x7fff0000u)    /* PackSnorm2x16 */
U(113, packUnorm2x16(vec2(fc, 1)), unorm(fc, 65535) | 0xffff0000u)           /* PackUnorm2x16 */
U(114, packHalf2x16(vec2(1.5, fb - fb)), 0x3e00)              /* PackHalf2x16 */
A(115, unpackSnorm4x8(ua).z, fmaxf((float)(int8_t)(ua >> 16) / 127, -1))     /* UnpackSnorm4x8 */
A(116, unpackUnorm4x8(ua).y, (float)(ua >> 8 & 255) / 255)    /* UnpackUnorm4x8 */
A(117, unpackSnorm2x16(ua).y, fmaxf((float)(int16_t)(ua >> 16) / 32767, -1)) /* UnpackSnorm2x16 */
A(118, unpackUnorm2x16(ua).x, (float)(ua & 65535) / 65535)    /* UnpackUnorm2x16 */
F(119, unpackHalf2x16(0xc500u | ua << 16).x, -5)              /* UnpackHalf2x16 */
A(120, length(vec3(fa, fb, fc)), sqrtf(fa * fa + fb * fb + fc * fc))         /* Length */
A(121, distance(vec2(fa, fb), vec2(fc)), sqrtf((fa - fc) * (fa - fc) + (fb - fc) * (fb - fc))) /* Distance */
A(122, cross(vec3(fa, fb, fc), vec3(fb, fc, 1)).x, fb * 1 - fc * fc)         /* Cross */
A(123, normalize(vec2(fa, fb)).y, fb / sqrtf(fa * fa + fb * fb))             /* Normalize */
F(124, faceforward(vec2(fa), vec2(fb), vec2(fc)).x, fb * fc + fb * fc < 0 ? fa : -fa) /* FaceForward */
A(125, reflect(vec2(fa, fb), vec2(0, 1)).y, -fb)              /* Reflect */
A(126, refract(vec2(0, -1), vec2(0, 1), 0.5).y, -1)           /* Refract */
U(127, uint(findLSB(ua)), (uint32_t)(ua ? __builtin_ctz(ua) : -1))           /* FindILsb */
U(128, uint(findMSB(ia)), (uint32_t)msb((uint32_t)(ia < 0 ? ~ia : ia))) /* FindSMsb */
U(129, uint(findMSB(ua)), (uint32_t)msb(ua))      /* FindUMsb */
F(130, (mat2(fa, fb, fc, fa) * fb)[1].x, fc * fb)             /* MatrixTimesScalar */
F(131, (vec2(fa, fc) * fb).y, fc * fb)                        /* VectorTimesScalar */
A(132, (vec2(fa, fb) * mat2(fb, fc, fc, fa)).y, fa * fc + fb * fa)           /* VectorTimesMatrix */
A(133, (mat2(fa, fb, fc, fa) * mat2(fb, fc, fa, fb))[1].x, fa * fa + fc * fb) /* MatrixTimesMatrix */
F(134, outerProduct(vec2(fa, fb), vec2(fc, fa))[1].y, fb * fa) /* OuterProduct */
F(135, transpose(mat2(fa, fb, fc, fa))[0].y, fc)              /* Transpose */
F(136, vec4(fa, fb, fc, 1)[ub & 3u], ((float[]){fa, fb, fc, 1})[ub & 3])     /* VectorExtractDynamic */
F(137, insert(vec3(fa, fb, fc), ub % 3u, 7.0).y, ub % 3 == 1 ? 7 : fb)       /* VectorInsertDynamic */
F(138, vec4(fa, fb, fc, 2).wzyx.y, fc)                        /* VectorShuffle */
L(139, la + lb, la + lb)
L(140, la * lb, (int64_t)((uint64_t)la * (uint64_t)lb))
L(141, la / lb, la / lb)
L(142, la >> 7, la >> 7)
L(143, int64_t(qa / qb), (int64_t)(qa / qb))
L(144, int64_t(ia), ia)                                       /* SConvert */
L(145, int64_t(uint64_t(ua)), (int64_t)ua)                    /* UConvert */
U(146, uint(la), (uint32_t)la)
U(147, uint(la < lb), la < lb)
D(148, da + db, da + db)
D(149, da * db, da * db)
D(150, da / db, da / db)
D(151, double(fa), (double)fa)                                /* FConvert */
F(152, float(da), (float)da)
D(153, floor(da), floor(da))
D(154, sqrt(abs(da)), sqrt(fabs(da)))
L(155, int64_t(da), (int64_t)da)
D(156, double(la), (double)la)
U(157, uint(int16_t(ia) * int16_t(ib)), (uint32_t)(int32_t)(int16_t)(ia * ib))
U(158, uint(uint16_t(ua) / uint16_t(ub | 1u)), (uint16_t)ua / (uint16_t)(ub | 1))
U(159, uint(int8_t(ia) + int8_t(ib)), (uint32_t)(int32_t)(int8_t)(ia + ib))
U(160, uint(uint8_t(ua) >> uint8_t(3)), (uint8_t)ua >> 3)
F(161, float(float16_t(3.25) * float16_t(2.0)), 6.5f)
F(162, float(float16_t(ia & 1023)), (float)(ia & 1023))
U(163, pack32(u16vec2(uint16_t(ua), uint16_t(ub)).yx), (ua << 16) | (ub & 65535)) /* Bitcast, 16 to 32 */
U(164, uint(unpackUint2x32(qa).y), (uint32_t)(qa >> 32))      /* Bitcast, 64 to 32 */
D(165, packDouble2x32(unpackDouble2x32(da)), da)              /* PackDouble2x32, UnpackDouble2x32 */
F(166, table[ub & 7u], ((float[]){1, 2, 4, 8, 16, 32, 64, 128})[ub & 7])
F(167, modf_whole(fa), truncf(fa))
U(168, uint(frexp_power(fa)), (uint32_t)power_of(fa))
A(169, quantize(fb), fb)
