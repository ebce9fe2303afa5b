"""Rows of group operations for instructions.py: lanes and distances of every width. Values are lane numbers within
32, so that what arrives says where it came from."""
from instruction_shader import WIDTHS

CAPABILITIES = '''OpCapability GroupNonUniform
OpCapability GroupNonUniformBallot
OpCapability GroupNonUniformShuffle
OpCapability GroupNonUniformShuffleRelative
OpCapability GroupNonUniformQuad
'''


def groups(s):
    scope = s.u(3)
    lane = s.e(f'OpBitwiseAnd %u32 %local_lane {s.u(31)}')
    beside = s.e(f'OpBitwiseXor %u32 {lane} {s.u(1)}')
    first, last = (s.e(f'OpIEqual %bool {lane} {s.u(x)}') for x in (0, 31))
    ballot = s.e(f'OpGroupNonUniformBallot {s.vec("%u32", 4)} {scope} {s.define("OpConstantTrue %bool")}')
    for bits in WIDTHS:
        index = s.cut(s.e(f'OpUConvert %u64 {beside}'), bits)
        where = f'by u{bits}'
        value = s.e(f'OpGroupNonUniformShuffle %u32 {scope} {lane} {index}')
        s.put_int(f'Shuffle {where}', s.e(f'OpBitwiseXor %u32 {value} {lane}'), 32, '1')
        value = s.e(f'OpGroupNonUniformShuffleXor %u32 {scope} {lane} {s.u(19, bits)}')
        s.put_int(f'ShuffleXor {where}', s.e(f'OpBitwiseXor %u32 {value} {lane}'), 32, '19')
        for op, edge, sign in (('Up', first, 'ISub %u32 {0} {1}'), ('Down', last, 'ISub %u32 {1} {0}')):
            value = s.e(f'OpGroupNonUniformShuffle{op} %u32 {scope} {lane} {s.u(1, bits)}')
            distance = s.e('Op' + sign.format(lane, value))
            s.put_int(f'Shuffle{op} {where}', s.e(f'OpSelect %u32 {edge} {s.u(1)} {distance}'), 32, '1')
        value = s.e(f'OpGroupNonUniformBroadcast %u32 {scope} {lane} {s.u(21, bits)}')
        s.put_int(f'Broadcast {where}', value, 32, '21')
        value = s.e(f'OpGroupNonUniformQuadBroadcast %u32 {scope} {lane} {s.u(2, bits)}')
        s.put_int(f'QuadBroadcast {where}', s.e(f'OpBitwiseAnd %u32 {value} {s.u(3)}'), 32, '2')
        value = s.e(f'OpGroupNonUniformBallotBitExtract %bool {scope} {ballot} {index}')
        s.put_bool(f'BallotBitExtract {where}', value, '1')
