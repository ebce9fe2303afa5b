"""The text of each encoding as LLVM 19's disassembler writes it, and names of immediates.

Text is a string with calls in braces: {u(x)} decimal, {d(x)} signed, {x(x)} hexadecimal, {sx(x)} signed hexadecimal,
{v(first, n)} and {s(first, n)} registers, {op(place)} an operand, {src(i)} a source with its modifiers,
{n(TABLE, x)} a name of NAMES, {part(NAME)} another part. A part is a list of (C condition, text); the first that
holds is written.
Sources: RDNA 2 ISA (s_waitcnt, s_sendmsg, s_getreg, ds_swizzle, unified buffer formats); LLVM 19 MC (gfx900,
gfx1010, gfx1030).
"""
from columns import GENS
from image_rules import DIMS
import hwregs
from modifiers import SDWA_SELECTIONS, SDWA_UNUSED
import waits

# Encodings (ENCODING@GENERATION where a generation differs): (operands, separated by commas; what follows). A part
# that writes nothing takes its comma away.
ENCODINGS = {
  'SOP1': ('dst src0 imm', ''),
  'SOP2': ('dst src0 src1 src2', ''),
  'SOPC': ('src0 src1 imm', ''),
  'SOPK': ('setreg dst src0 imm literal', ''),
  'SOPP': ('imm', ''),
  'SMEM': ('smem_data src0 smem_offset', 'smem_imm glc dlc'),
  'VOPD': ('dst vsrc0 vsrc1 dsrc2', ''),
  'VINTERP': ('dst vsrc0 vsrc1 vsrc2', 'clamp op_sel wait_exp'),
  'LDSDIR': ('dst attr_load', 'wait_vdst'),
  'SMEM@GFX9': ('smem_data src0 smem_offset_gfx9', 'smem_imm glc'),
  'VOP1': ('dst sdst vsrc0 vsrc1 vsrc2', 'vop2nd'),
  'VOP2': ('dst sdst vsrc0 vsrc1 vsrc2', 'vop2nd'),
  'VOPC': ('dst sdst vsrc0 vsrc1 vsrc2', 'vop2nd'),
  'VOP3': ('dst sdst vsrc0 param attr vsrc1 vsrc2', 'high op_sel clamp omod vop2nd_long'),
  'VOP3P': ('dst vsrc0 vsrc1 vsrc2', 'vop3p clamp vop2nd_long'),
  'VINTRP': ('dst src0 param attr', ''),
  'DS': ('dst src0 src1 src2', 'ds_offset gds'),
  'MUBUF': ('buffer_data buffer_address src1 src2', 'idxen offen offset glc slc dlc tfe lds'),
  'MTBUF': ('buffer_data buffer_address src1 src2', 'format idxen offen offset glc slc dlc tfe'),
  'MUBUF@GFX9': ('buffer_data buffer_address src1 src2', 'idxen offen offset lds_store glc slc tfe lds_load'),
  'MTBUF@GFX9': ('buffer_data buffer_address src1 src2', 'format_gfx9 idxen offen offset glc slc tfe'),
  'MIMG@GFX9': ('image_data image_address_gfx9 src1 src2', 'dmask unrm glc slc a16 tfe lwe da d16'),
  'MIMG': ('image_data image_address src1 src2', 'dmask dim unrm glc slc dlc r128 a16 tfe lwe d16'),
  'FLAT': ('flat_dst flat_address src1', 'offset glc slc dlc'),
  'GLOBAL': ('flat_dst flat_address src1 saddr', 'offset glc slc dlc'),
  'SCRATCH': ('flat_dst flat_address src1 saddr', 'offset glc slc dlc'),
  'EXP': ('exp', 'exp_done exp_compr exp_vm'),
} | {f'{name}@{gen}': text for gen in ('GFX11', 'GFX11.5') for name, text in {
  'MTBUF': ('buffer_data buffer_address src1 src2', 'format idxen offen offset glc slc dlc tfe'),
  'MIMG': ('image_data image_address_tail src1 src2', 'dmask dim unrm glc slc dlc r128 a16 tfe lwe d16'),
  'SCRATCH': ('flat_dst scratch_address src1 saddr', 'offset glc slc dlc'),
  'EXP': ('exp_gfx11', 'exp_done row_en'),
}.items()}

# Name: {number: text}, or {generation: {number: text}} where generations differ.
NAMES = {
  'hwreg': hwregs.names(),
  'message': {gen: {1: 'INTERRUPT', 2: 'GS', 3: 'GS_DONE', 4: 'SAVEWAVE', 5: 'STALL_WAVE_GEN', 6: 'HALT_WAVES',
                    7: 'ORDERED_PS_DONE', 8: 'EARLY_PRIM_DEALLOC', 9: 'GS_ALLOC_REQ', 10: 'GET_DOORBELL'} |
                   ({11: 'GET_DDID'} if gen != 'GFX9' else {}) for gen in GENS},
  'gpr_idx': {i: ','.join(name for bit, name in enumerate('SRC0 SRC1 SRC2 DST'.split()) if i >> bit & 1)
              for i in range(16)},
  'message_gfx11': {1: 'INTERRUPT', 2: 'HS_TESSFACTOR', 3: 'DEALLOC_VGPRS', 5: 'STALL_WAVE_GEN', 6: 'HALT_WAVES',
                    9: 'GS_ALLOC_REQ', 128: 'RTN_GET_DOORBELL', 129: 'RTN_GET_DDID', 130: 'RTN_GET_TMA',
                    131: 'RTN_GET_REALTIME', 132: 'RTN_SAVE_WAVE', 133: 'RTN_GET_TBA', 134: 'RTN_GET_TBA_TO_PC'},
  'delay': {0: 'NO_DEP'} | {i: f'VALU_DEP_{i}' for i in range(1, 5)} |
           {i + 4: f'TRANS32_DEP_{i}' for i in range(1, 4)} |
           {8: 'FMA_ACCUM_CYCLE_1'} | {i + 8: f'SALU_CYCLE_{i}' for i in range(1, 4)},
  'skip': {0: 'SAME', 1: 'NEXT'} | {i + 1: f'SKIP_{i}' for i in range(1, 5)},
  'gs_op': {0: 'NOP', 1: 'CUT', 2: 'EMIT', 3: 'EMIT_CUT'},
  'sysmsg_op': {1: 'ECC_ERR_INTERRUPT', 2: 'REG_RD', 4: 'TTRACE_PC'},
  'sdwa_sel': dict(enumerate(SDWA_SELECTIONS)),
  'sdwa_unused': dict(enumerate(SDWA_UNUSED)),
  'dim': {i: name for i, (name, _, _) in enumerate(DIMS)},
  'exp_pos': {gen: {12 + i: f'pos{i}' for i in range(4 if gen == 'GFX9' else 5)} for gen in GENS},
  'omod': {1: 'mul:2', 2: 'mul:4', 3: 'div:2'},
  'param': {0: 'p10', 1: 'p20', 2: 'p0'},
  'channel': dict(enumerate('xyzw')),
  'version': {0: 'GFX7', 4: 'GFX10', 6: 'GFX11', 9: 'GFX12'},
  'letter': {0: '0', 1: 'p', 2: 'i', 3: '1'},
}

# Unified buffer formats: layouts in order and the numeric kinds that each has, numbered from 1.
KINDS = ['UNORM', 'SNORM', 'USCALED', 'SSCALED', 'UINT', 'SINT', 'FLOAT']
LAYOUTS = [('8', KINDS[:6]), ('16', KINDS), ('8_8', KINDS[:6]), ('32', KINDS[4:]), ('16_16', KINDS),
           ('10_11_11', KINDS), ('11_11_10', KINDS), ('10_10_10_2', KINDS[:6]), ('2_10_10_10', KINDS[:6]),
           ('8_8_8_8', KINDS[:6]), ('32_32', KINDS[4:]), ('16_16_16_16', KINDS), ('32_32_32', KINDS[4:]),
           ('32_32_32_32', KINDS[4:])]
# GFX9: a separate layout and kind.
NAMES['data_format'] = dict(enumerate('INVALID 8 16 8_8 32 16_16 10_11_11 11_11_10 10_10_10_2 2_10_10_10 8_8_8_8 '
                                      '32_32 16_16_16_16 32_32_32 32_32_32_32 RESERVED_15'.split()))
NAMES['num_format'] = dict(enumerate('UNORM SNORM USCALED SSCALED UINT SINT RESERVED_6 FLOAT'.split()))
UNIFIED = ['INVALID'] + [f'{l}_{k}' for l, kinds in LAYOUTS for k in kinds]
# GFX11 lacks some kinds of the packed layouts; the others follow each other.
LACKING_11 = {f'{l}_{k}' for l in ('10_11_11', '11_11_10') for k in KINDS[:6]} | {
  '10_10_10_2_USCALED', '10_10_10_2_SSCALED'}
NAMES['buffer_format'] = {gen: dict(enumerate(f for f in UNIFIED if f not in (
  LACKING_11 if gen in ('GFX11', 'GFX11.5') else ()))) for gen in GENS}

# Immediates of counters: (name, C of the value, value that is not written).
WAITCNT = [(c, f'amd_isa_wait_left(o->gen, {waits.symbol(c)}, i)', f'amd_isa_wait_max(o->gen, {waits.symbol(c)})')
           for c in waits.COUNTERS]
# (name, lowest bit, bits): at rest all are set.
DEPCTR = [(name, f'(i >> {low} & {(1 << bits) - 1})', (1 << bits) - 1) for name, low, bits in [
  ('depctr_hold_cnt', 7, 1), ('depctr_sa_sdst', 0, 1), ('depctr_va_vdst', 12, 4), ('depctr_va_sdst', 9, 3),
  ('depctr_va_ssrc', 8, 1), ('depctr_va_vcc', 1, 1), ('depctr_vm_vsrc', 2, 3)]]


def counters(table, otherwise=()):
  """Counters that are not at their rest; all of them if every one is."""
  rest = ' && '.join(f'{value} == {most}' for _, value, most in table)
  return list(otherwise) + [(rest, ' '.join(f'{name}({{u({value})}})' for name, value, _ in table)),
                            ('1', ''.join(f'{{if({value} != {most})}}{{blank()}}{name}({{u({value})}}){{end()}}'
                                          for name, value, most in table))]


# Kinds of immediates (attribute imm= of a row); `i` is simm16.
GS = '((i & 15) == 2 || (i & 15) == 3)'
IMMEDIATES = {
  'hex': [('1', '{x(i)}')],
  'branch': [('1', '{u(i)}')],
  # A number and flags, all but the last in parentheses.
  'version': [('i & 0x1f00', '{x(i)}'),
              ('1', ''.join(f'{{if(__builtin_popcount(i >> 13) > {n})}}({{end()}}' for n in (1, 2)) +
                    '{part(version_number)}' +
                    ''.join(f'{{if(i & {1 << bit:#x})}}|UC_VERSION_{name}_BIT{{end()}}'
                            f'{{if(i & {1 << bit:#x} && i >> {bit + 1})}}){{end()}}'
                            for bit, name in ((13, 'W64'), (14, 'W32'), (15, 'MDP'))))],
  'small': [('i <= 64', '{u(i)}'), ('1', '{x(i)}')],
  'nonzero': [('i', '{u(i)}')],
  'gpr_idx': [('i > 15', '{x(i)}'), ('1', 'gpr_idx({n(gpr_idx, i)})')],
  'hwreg': [('i >> 6 == 0x3e0', 'hwreg({part(hwreg_name)})'),
            ('1', 'hwreg({part(hwreg_name)}, {u(i >> 6 & 31)}, {u((i >> 11) + 1)})')],
  'waitcnt': counters(WAITCNT),
  'depctr': counters(DEPCTR, [('i & 0x60', '{x(i)}')]),
  'depctr_10': counters(DEPCTR[1:], [('i & 0xe0', '{x(i)}')]),  # no hold_cnt
  # What the second instruction after waits for as well: first 3:0, instructions between 6:4, second 10:7.
  'delay': [('!(i & 0x7ff)', '0'),
            ('1', '{if(i & 15)}instid0({part(delay_first)}){end()}'
                  '{if(i & 15 && i & 0x7f0)} | {end()}{if(i >> 4 & 7)}instskip({part(delay_skip)}){end()}'
                  '{if(i >> 4 & 7 && i >> 7 & 15)} | {end()}{if(i >> 7 & 15)}instid1({part(delay_second)}){end()}')],
  'message_gfx11': [('has(message_gfx11, i & 255)', 'sendmsg(MSG_{n(message_gfx11, i & 255)})'),
                    ('i & ~0xffu', '{u(i)}'), ('1', 'sendmsg({u(i)}, 0, 0)')],
  # Message 3:0, operation 6:4, stream 9:8.
  'message': [(f'{GS} && (i >> 4 & 7) >= 1 && (i >> 4 & 7) <= 3',
               'sendmsg(MSG_{n(message, i & 15)}, GS_OP_{n(gs_op, i >> 4 & 7)}, {u(i >> 8 & 3)})'),
              ('(i & 0x37f) == 3', 'sendmsg(MSG_{n(message, 3)}, GS_OP_NOP)'),
              ('(i & 0x30f) == 15 && has(sysmsg_op, i >> 4 & 7)', 'sendmsg(MSG_SYSMSG, SYSMSG_OP_{n(sysmsg_op, i >> '
               '4 & 7)})'),
              (f'has(message, i & 15) && !{GS} && !(i & 0x370)', 'sendmsg(MSG_{n(message, i & 15)})'),
              ('i & ~0x37fu', '{u(i)}'),
              ('1', 'sendmsg({u(i & 15)}, {u(i >> 4 & 7)}, {u(i >> 8 & 3)})')],
}


def flag(name, text=None, condition=None):
  return [(condition or f'in->{name}', f' {text or name}')]


def bits(name, member, count):
  return f' {name}:[' + ','.join(f'{{u(in->{member} >> {i} & 1)}}' for i in range(count)) + ']'


def bit_list(name, member, condition):
  """A list of one bit for each source."""
  return [(f'{condition} && info->src_count == {n}', bits(name, member, n)) for n in (1, 2, 3)]


SOURCES = '((1u << info->src_count) - 1)'
BUFFER_DATA = 'isa_data(in, info)'
SOFFSET = '(in->src[1] != AMD_NULL && in->src[1] != AMD_OPERAND_NONE)'
GROUP, LANE, FLIP = '(32 - (offset & 31))', '(offset >> 5 & 31)', '(offset >> 10 & 31)'
POWER = '({0} && !({0} & ({0} - 1)))'

PARTS = {
  'setreg': [('e->flags & ISA_SETREG', '{part(imm_hwreg)}')],
  'hwreg_name': [('has(hwreg, i & 63)', 'HW_REG_{n(hwreg, i & 63)}'), ('1', '{u(i & 63)}')],
  'delay_first': [('has(delay, i & 15)', '{n(delay, i & 15)}'), ('1', '/* invalid instid value */')],
  'delay_skip': [('has(skip, i >> 4 & 7)', '{n(skip, i >> 4 & 7)}'), ('1', '/* invalid instskip value */')],
  'delay_second': [('has(delay, i >> 7 & 15)', '{n(delay, i >> 7 & 15)}'), ('1', '/* invalid instid value */')],
  'version_number': [('has(version, i & 255)', 'UC_VERSION_{n(version, i & 255)}'), ('1', '{u(i & 255)}')],
  'literal': [('e->flags & ISA_LIT', '{literal(in->literal)}')],
  'smem_data': [('e->flags & ISA_PROBE', '{part(imm_small)}'),
                ('info->src[3].cls', '{op(src[3])}'), ('info->dst.cls', '{op(dst)}')],
  # Base and immediate, base and register, all three.
  'smem_offset': [('!info->src[0].cls', ''), (SOFFSET, '{op(src[1])}'),
                  ('!in->offset', 'null'), ('1', '{sx(in->offset)}')],
  'smem_offset_gfx9': [('!info->src[0].cls', ''), (SOFFSET, '{op(src[1])}'), ('1', '{sx(in->offset)}')],
  'smem_imm': [(f'info->src[0].cls && {SOFFSET} && in->offset', ' offset:{sx(in->offset)}')],
  'vsrc0': [('info->src[0].cls', '{src(0)}')],
  'vsrc1': [('info->src[1].cls', '{src(1)}')],
  'vsrc2': [('info->src[2].cls', '{src(2)}')],
  # The second half of a pair reads VCC without naming it.
  'dsrc2': [('info->src[2].cls && info->src[2].cls != AMD_CLASS_MASK', '{src(2)}')],
  'high_half': [('isa_is_short(in) && in->op_sel & 8', '.h')],
  'wait_exp': [('1', ' wait_exp:{u(in->wait_exp)}')],
  'wait_vdst': [('1', ' wait_vdst:{u(in->wait_vdst)}')],
  'attr_load': [('e->flags & ISA_DIRECT', ''), ('1', 'attr{u(in->attr)}.{n(channel, in->chan)}')],
  'vop2nd_long': [('in->modifier', '{part(vop2nd)}')],
  'row_en': flag('row_en'),
  'exp_target_gfx11': [('in->exp_target == 21 || in->exp_target == 22', 'dual_src_blend{u(in->exp_target - 21u)}'),
                       ('in->exp_target == 9 || in->exp_target >= 32', 'invalid_target_{u(in->exp_target)}'),
                       ('1', '{part(exp_target)}')],
  'exp_gfx11': [('1', '{part(exp_target_gfx11)} ' + ', '.join(f'{{part(exp{i})}}' for i in range(4)))],
  'scratch_address': [('in->src[0] == AMD_OPERAND_NONE', 'off'), ('1', '{v(in->src[0], 1)}')],
  'image_address_tail': [('in->nsa_count', '[v{u(in->src[0] - 256u)}{nsatail()}]'),
                         ('1', '{v(in->src[0], isa_image_group(in))}')],
  'op_sel': [('in->op_sel && e->flags & ISA_SEL2', bits('op_sel', 'op_sel', 2))] +
            [(f'in->op_sel && info->src_count == {n}', bits('op_sel', 'op_sel', n)[:-1] + ',{u(in->op_sel >> 3)}]')
             for n in (1, 2, 3)],
  'omod': [('in->omod', ' {n(omod, in->omod)}')],
  'vop3p': [('1', '{part(op_sel_p)}{part(op_sel_hi)}{part(neg_lo)}{part(neg_hi)}')],
  'op_sel_p': bit_list('op_sel', 'op_sel', f'in->op_sel & {SOURCES}'),
  'op_sel_hi': bit_list('op_sel_hi', 'op_sel_hi', f'(in->op_sel_hi & {SOURCES}) != (e->flags & ISA_MIX ? 0 : '
                        f'{SOURCES})'),
  'neg_lo': bit_list('neg_lo', 'neg', f'!(e->flags & ISA_MIX) && in->neg & {SOURCES}'),
  'neg_hi': bit_list('neg_hi', 'neg_hi', f'!(e->flags & ISA_MIX) && in->neg_hi & {SOURCES}'),
  'vop2nd': [('in->modifier == AMD_MOD_SDWA', '{part(clamp)}{part(omod)}{part(sdwa_dst)}{part(sdwa_src)}'),
             ('in->modifier == AMD_MOD_DPP16', ' {part(dpp_ctrl)} row_mask:{x(in->row_mask)} '
                                               'bank_mask:{x(in->bank_mask)}'
              '{part(bound_ctrl)}{part(fi)}'),
             ('in->modifier == AMD_MOD_DPP8', ' dpp8:[' +
              ','.join(f'{{u(in->dpp8 >> {3 * i} & 7)}}' for i in range(8)) + ']{part(fi)}')],
  'bound_ctrl': flag('bound_ctrl', 'bound_ctrl:1'),
  'fi': flag('fetch_inactive', 'fi:1'),
  'sdwa_dst': [('in->enc != AMD_ENC_VOPC',
                ' dst_sel:{n(sdwa_sel, in->sdwa_dst_sel)} dst_unused:{n(sdwa_unused, in->sdwa_dst_unused)}')],
  'sdwa_src': [('info->src_count > 1',
                ' src0_sel:{n(sdwa_sel, in->sdwa_src_sel[0])} src1_sel:{n(sdwa_sel, in->sdwa_src_sel[1])}'),
               ('1', ' src0_sel:{n(sdwa_sel, in->sdwa_src_sel[0])}')],
  'param': [('e->flags & ISA_INTERP && !info->src[0].cls', '{n(param, in->simm16)}')],
  'attr': [('e->flags & ISA_INTERP', 'attr{u(in->attr)}.{n(channel, in->chan)}')],
  'ds_offset': [('!in->offset', ''), ('e->flags & ISA_SWIZZLE', ' offset:{part(swizzle)}'),
                ('e->flags & ISA_TWO', '{part(offset0)}{part(offset1)}'), ('1', ' offset:{d(in->offset)}')],
  'offset0': [('offset & 255', ' offset0:{u(offset & 255)}')],
  'offset1': [('offset >> 8', ' offset1:{u(offset >> 8)}')],
  # Lane masks: and 4:0, or 9:5, xor 14:10; or a permutation of four lanes.
  'swizzle': [('offset >> 8 == 0x80', 'swizzle(QUAD_PERM,{u(offset & 3)},{u(offset >> 2 & 3)},{u(offset >> 4 & '
                                      '3)},{u(offset >> 6 & 3)})'),
              ('offset >> 15', '{u(offset)}'),
              (f'(offset & 1023) == 31 && {POWER.format(FLIP)}', f'swizzle(SWAP,{{u({FLIP})}})'),
              (f'(offset & 1023) == 31 && {FLIP} && {POWER.format(f"({FLIP} + 1)")}', f'swizzle(REVERSE,{{u({FLIP} + '
               f'1)}})'),
              (f'{GROUP} > 1 && {POWER.format(GROUP)} && {LANE} < {GROUP} && !{FLIP}',
               f'swizzle(BROADCAST,{{u({GROUP})}},{{u({LANE})}})'),
              ('1', 'swizzle(BITMASK_PERM,"' + ''.join(
                f'{{n(letter, ((({LANE} ^ {FLIP}) >> {b} & 1) << 1) | (((((offset & 31) | {LANE}) ^ {FLIP}) >> {b}) '
                f'& 1))}}'
                for b in (4, 3, 2, 1, 0)) + '")')],
  'buffer_data': [('info->src[1].cls && !in->lds && (info->dst.cls || info->src[3].cls)',
                   f'{{v({BUFFER_DATA}, isa_data_size(info) + in->tfe)}}')],
  'buffer_address': [('!info->src[0].cls', ''), ('in->offen && in->idxen', '{v(in->src[0], 2)}'),
                     ('in->offen || in->idxen', '{v(in->src[0], 1)}'), ('1', 'off')],
  'offset': [('in->offset', ' offset:{d(in->offset)}')],
  'format': [('in->format == 1', ''), ('has(buffer_format, in->format)', ' format:[BUF_FMT_{n(buffer_format, '
                                       'in->format)}]'),
             ('1', ' format:{u(in->format)}')],
  'format_gfx9': [('in->format == 1', ''),
                  ('!(in->format >> 4)', ' format:[BUF_DATA_FORMAT_{n(data_format, in->format & 15)}]'),
                  ('(in->format & 15) == 1', ' format:[BUF_NUM_FORMAT_{n(num_format, in->format >> 4)}]'),
                  ('1', ' format:[BUF_DATA_FORMAT_{n(data_format, in->format & 15)},BUF_NUM_FORMAT_{n(num_format, '
                        'in->format >> 4)}]')],
  'image_data': [('1', f'{{v({BUFFER_DATA}, isa_image_data(in))}}')],
  'image_address': [('in->nsa_count', '[v{u(in->src[0] - 256u)}{nsa()}]'),
                    ('1', '{v(in->src[0], isa_image_group(in))}')],
  'lds_store': [('in->lds && !info->dst.cls', ' lds')],
  'lds_load': [('in->lds && info->dst.cls', ' lds')],
  'image_address_gfx9': [('1', '{v(in->src[0], isa_image_least(in))}')],
  'dmask': [('in->dmask', ' dmask:{x(in->dmask)}')],
  'dim': [('1', ' dim:SQ_RSRC_IMG_{n(dim, in->dim)}')],
  'unrm': flag('unrm', 'unorm'),
  'flat_dst': [('in->dst != AMD_OPERAND_NONE && (!(e->flags & ISA_ATOMIC) || in->glc)', '{op(dst)}')],
  'flat_address': [('!info->src[0].cls', ''), ('in->src[0] == AMD_OPERAND_NONE', 'off'),
                   ('in->enc == AMD_ENC_SCRATCH && in->src[2] != AMD_OPERAND_NONE', 'off'),
                   ('in->enc == AMD_ENC_FLAT || (in->enc == AMD_ENC_GLOBAL && in->src[2] == AMD_OPERAND_NONE)',
                    '{v(in->src[0], 2)}'),
                   ('1', '{v(in->src[0], 1)}')],
  'saddr': [('in->src[2] == AMD_OPERAND_NONE', 'off'), ('1', '{op(src[2])}')],
  'exp_target': [('in->exp_target < 8', 'mrt{u(in->exp_target)}'), ('in->exp_target == 8', 'mrtz'),
                 ('in->exp_target == 9', 'null'),
                 ('has(exp_pos, in->exp_target)', '{n(exp_pos, in->exp_target)}'),
                 ('in->exp_target == 20', 'prim'), ('in->exp_target >= 32', 'param{u(in->exp_target - 32u)}'),
                 ('1', 'invalid_target_{u(in->exp_target)}')],
  # Compressed: each register holds two components and is named for both.
  'exp': [('1', '{part(exp_target)} ' + ', '.join(f'{{part(exp{i})}}' for i in range(4)))],
  'exp_done': flag('exp_done', 'done'),
  'exp_compr': flag('exp_compr', 'compr'),
  'exp_vm': flag('exp_vm', 'vm'),
}
PARTS |= {f'exp{i}': [(f'!(in->exp_en >> {i} & 1)', 'off'), ('in->exp_compr', f'{{op(src[{i // 2}])}}'),
                      ('1', f'{{op(src[{i}])}}')]
          for i in range(4)}
PARTS |= {name: flag(name) for name in 'glc slc dlc lds gds offen idxen tfe lwe r128 a16 d16 clamp high da'.split()}
