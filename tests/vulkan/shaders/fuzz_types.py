"""Types of the random programs of fuzz.py, and what all of them share, in GLSL and in C."""

SCALARS = {'i8': ('int8_t', 'i8vec'), 'u8': ('uint8_t', 'u8vec'), 'i16': ('int16_t', 'i16vec'),
           'u16': ('uint16_t', 'u16vec'), 'i32': ('int', 'ivec'), 'u32': ('uint', 'uvec'),
           'i64': ('int64_t', 'i64vec'), 'u64': ('uint64_t', 'u64vec'), 'f16': ('float16_t', 'f16vec'),
           'f32': ('float', 'vec'), 'f64': ('double', 'dvec'), 'b1': ('bool', 'bvec')}
INTS = [s for s in SCALARS if s[0] in 'iu']
FLOATS = ['f16', 'f32', 'f64']
WEIGHTED = (['i32'] * 5 + ['u32'] * 5 + ['f32'] * 4 + ['b1'] * 2 +
            ['i8', 'u8', 'i16', 'u16', 'i64', 'u64', 'f16', 'f64'] * 2)
LIMIT = {'f16': ('256', '0.0625'), 'f32': ('65536', '0.001'), 'f64': ('65536', '0.001')}
WORDS = 16  # of results for each invocation
LANES = 128


def width(s):
    return int(s[1:])


class Type:
    """kind: scalar vector matrix array struct. A matrix is an array of its columns."""

    def __init__(self, kind, glsl, c, elem=None, n=0, members=None):
        self.kind, self.glsl, self.c, self.elem, self.n, self.members = kind, glsl, c, elem, n, members

    @property
    def scalar(self):
        return self.c if self.kind == 'scalar' else self.elem.scalar

    def has_bool(self):
        if self.kind == 'struct':
            return any(t.has_bool() for _, t in self.members)
        return self.c == 'b1' if self.kind == 'scalar' else self.elem.has_bool()


SCALAR_TYPES = {s: Type('scalar', g, s) for s, (g, _) in SCALARS.items()}
VECTORS = {(s, n): Type('vector', g + str(n), f'{s}_{n}', SCALAR_TYPES[s], n)
           for s, (_, g) in SCALARS.items() for n in (2, 3, 4)}
MATRICES = {(s, c, r): Type('matrix', f'{p}{c}x{r}', f'{s}_{c}x{r}', VECTORS[s, r], c)
            for s, p in (('f32', 'mat'), ('f64', 'dmat'), ('f16', 'f16mat')) for c in (2, 3, 4) for r in (2, 3, 4)}


def simple(s, n=1):
    return SCALAR_TYPES[s] if n == 1 else VECTORS[s, n]


BOOL, INT, UINT = simple('b1'), simple('i32'), simple('u32')


def forget_doubles():
    """From now on programs have none."""
    FLOATS.remove('f64')
    del SCALARS['f64']
    WEIGHTED[:] = [s for s in WEIGHTED if s != 'f64']
    for key in [key for key in MATRICES if key[0] == 'f64']:
        del MATRICES[key]


def layout(t):
    """Size of what is used and alignment, in bytes."""
    if t.kind == 'scalar':
        size = 1 if t.c == 'b1' else width(t.c) // 8
        return size, size
    if t.kind != 'struct':
        size, align = layout(t.elem)
        return t.n * (size + -size % align), align
    at, largest = 0, 1
    for _, m in t.members:
        size, align = layout(m)
        at += -at % align + size
        largest = max(largest, align)
    return at, largest


C_HEAD = """
typedef int8_t i8; typedef uint8_t u8; typedef int16_t i16; typedef uint16_t u16; typedef int32_t i32;
typedef uint32_t u32; typedef int64_t i64; typedef uint64_t u64; typedef _Float16 f16; typedef float f32;
typedef double f64; typedef bool b1;
"""
GLSL_HEAD = """#version 450
#extension GL_EXT_shader_explicit_arithmetic_types : enable
#extension GL_EXT_scalar_block_layout : enable
"""


def c_types():
    out = [C_HEAD]
    for t in VECTORS.values():
        out.append(f'typedef struct {{ {t.elem.c} e[{t.n}]; }} {t.c};')
    for t in MATRICES.values():
        out.append(f'typedef struct {{ {t.elem.c} e[{t.n}]; }} {t.c};')
    for s in FLOATS:
        high, low = LIMIT[s]
        out.append(f'static {s} fix_{s}({s} x) {{ return (x < 0 ? -x : x) < ({s}){low} ? 0 : x > {high} ? {high} : '
                   f'x < -{high} ? -{high} : x; }}')
        for name, op in (('fadd', '+'), ('fsub', '-'), ('fmul', '*')):
            out.append(f'static {s} {name}_{s}({s} a, {s} b) {{ return fix_{s}(({s})(a {op} b)); }}')
    for s in INTS + FLOATS + ['b1']:
        size = 1 if s == 'b1' else width(s) // 8
        move = 'u32 b = (u8)x;' if size == 1 else f'u{8 * size} b; memcpy(&b, &x, {size});'
        zero = 'if (x == 0) b = 0; ' if s in FLOATS else ''
        high = 'h = mix(h, (u32)(b >> 32)); ' if size == 8 else ''
        out.append(f'static u32 hash_{s}(u32 h, {s} x) {{ {move} {zero}{high}return mix(h, (u32)b); }}')
    return '\n'.join(out)


def glsl_helpers():
    out = ['uint mixed(uint h, uint x) { h = (h ^ x) * 0x9e3779b1u; return h ^ (h >> 15); }']
    for s in FLOATS:
        high, low = LIMIT[s]
        for n in (1, 2, 3, 4):
            t = simple(s, n).glsl
            g = SCALARS[s][0]
            zero = (f'abs(x) < {g}({low}) ? {g}(0) : clamp(x, {g}(-{high}), {g}({high}))' if n == 1 else
                    f'mix(clamp(x, {t}(-{high}), {t}({high})), {t}(0), lessThan(abs(x), {t}({low})))')
            out.append(f'{t} fix({t} x) {{ return {zero}; }}')
            for name, op in (('fadd', '+'), ('fsub', '-'), ('fmul', '*')):
                out.append(f'{t} {name}({t} a, {t} b) {{ precise {t} r = a {op} b; return fix(r); }}')
    return out


HASH_GLSL = {'b1': 'uint({})', 'i8': 'uint(uint8_t({}))', 'u8': 'uint({})', 'i16': 'uint(uint16_t({}))',
             'u16': 'uint({})', 'i32': 'uint({})', 'u32': '{}', 'f32': '({0} == 0.0 ? 0u : floatBitsToUint({0}))',
             'f16': '({0} == float16_t(0) ? 0u : uint(float16BitsToUint16({0})))'}

C_START = """/* Written by fuzz.py. */
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "fuzz.h"

static uint64_t state = 88172645463325252u;
static uint64_t next(void) { state ^= state << 13; state ^= state >> 7; return state ^= state << 17; }
typedef uint32_t uint;
static uint32_t mix(uint32_t h, uint32_t x) { h = (h ^ x) * 0x9e3779b1u; return h ^ (h >> 15); }
static int32_t extract_i32(int32_t x, int first, int count)
{ return count ? (int32_t)((uint32_t)x << (32 - first - count)) >> (32 - count) : 0; }
static uint32_t extract_u32(uint32_t x, int first, int count)
{ return count ? x << (32 - first - count) >> (32 - count) : 0; }
static uint32_t reverse(uint32_t x)
{ uint32_t y = 0; for (int i = 0; i < 32; i++) y |= (x >> i & 1) << (31 - i); return y; }
"""
