"""What an instruction may not be although its fields can hold it. (encodings,
ENCODING@GENERATION for one generation only; C condition that refuses it; why): `in` is
the instruction, `e` its entry, `info` its row. Encoder and decoder both ask.

Sources: RDNA 2 ISA, chapters of the encodings; LLVM 19 MC refuses the same (tests/amd/hw/test_isa_random_words.py).
"""

RULES = [
  ('SMEM', '(in->glc || in->dlc) && !(e->flags & (ISA_LOAD | ISA_STORE | ISA_ATOMIC))', 'only accesses have cache '
   'bits'),
  ('SOPP', 'in->simm16 && e->flags & ISA_NO_IMM', 'operations without an immediate have 0 there'),
  ('MTBUF', 'in->tfe', 'typed buffers have no status dword'),
  ('MUBUF', 'in->lds && (!(e->flags & ISA_LDS) || in->tfe)', 'loads of one dword at most go into LDS, and no status '
   'does'),
  ('MUBUF', 'in->tfe && e->flags & ISA_ATOMIC', 'atomics have no status'),
  ('MUBUF@GFX9 MUBUF@GFX10 MUBUF@GFX10.3', 'in->dlc && e->flags & ISA_ATOMIC', 'atomics pass the cache of an array'),
  ('MUBUF', 'in->tfe && info->src[1].cls && !info->dst.cls && !info->src[3].cls', 'loads into LDS have no status'),
  ('VOPD', 'isa_banks_meet(in, info, info - in->op + in->dual_op)',
   'two operations that read one bank of registers in the same place'),
  ('MUBUF MTBUF', 'in->offen && in->idxen && !isa_vgprs_fit(in->src[0], 2)', 'index and offset are a pair'),
  ('MUBUF', 'in->tfe && !isa_vgprs_fit(isa_data(in, info), isa_data_size(info) + 1u)', 'the status follows the data'),
  ('MUBUF', '!info->src[1].cls && (in->offset || in->offen || in->idxen || in->glc || in->slc || in->dlc || in->tfe)',
   'invalidates have no operands'),
  ('MUBUF@GFX9', 'in->op == AMD_OP_buffer_store_lds_dword && (!in->lds || in->offen || in->idxen || in->tfe)', 'the '
   'store from LDS has M0 as its address'),
  ('DS', '!in->gds && e->flags & ISA_GDSONLY', 'these are of GDS only'),
  ('DS', '(in->gds || in->offset) && !info->dst.cls && !info->src[0].cls && !info->src[1].cls && '
   '!(e->flags & ISA_GDSONLY)', 'without operands there is no access'),
  ('DS', 'in->gds && e->flags & ISA_NOGDS', 'lanes are permuted without memory'),
  ('MIMG', 'e->flags & ISA_ATOMIC && in->dmask != (e->flags & ISA_PAIR ? 3 : 1) && in->dmask != (e->flags & ISA_PAIR '
           '? 15 : 3)',
   'the mask of an atomic says whether its value has 32 or 64 bits'),
  ('MIMG', 'in->dim > 5 && (info->flags & AMD_FLAG_SAMPLE || info->image & AMD_IMAGE_LOD)',
   'images of several samples are neither filtered nor do they have levels'),
  ('SCRATCH', 'in->src[2] == AMD_EXEC_HI', '0x7f means neither address, which no assembler writes'),
  ('MIMG', 'in->d16 && e->flags & (ISA_NOD16 | ISA_ATOMIC)', 'these have no 16-bit form'),
  ('MIMG', '!in->nsa_count && !isa_vgprs_fit(in->src[0], isa_image_group(in))', 'the address is within v255'),
  ('MIMG', '!isa_vgprs_fit(isa_data(in, info), isa_image_data(in))', 'the data are within v255'),
  ('FLAT', '!isa_vgprs_fit(in->src[0], 2)', 'the address is a pair'),
  ('GLOBAL', 'in->src[2] == AMD_OPERAND_NONE && !isa_vgprs_fit(in->src[0], 2)', 'without a base the address is a '
   'pair'),
  ('FLAT GLOBAL SCRATCH', 'in->lds', 'loads into LDS are buffer loads'),
  ('VOP3P', 'info->dst.type == AMD_TYPE_MATRIX && !e->op_sel && in->op_sel_hi != 7', 'matrices of whole registers '
   'have no halves to select'),
  ('VINTRP VOP3', 'in->simm16 > 2', 'parameters are P10, P20 and P0'),
]
# Second dwords, for encodings that have them.
SECOND_RULES = [
  ('SDWA', 'in->sdwa_dst_sel > AMD_SDWA_DWORD || in->sdwa_dst_unused > AMD_SDWA_UNUSED_PRESERVE || '
   'in->sdwa_src_sel[0] > AMD_SDWA_DWORD || in->sdwa_src_sel[1] > AMD_SDWA_DWORD', 'selections that are not defined'),
  ('SDWA', 'in->sdwa_sext & (in->neg | in->abs)', 'a source is an integer, to be extended, or a float with a sign'),
  ('DPP16', '!dpp_is_defined(in->dpp_ctrl)', 'lane patterns that are not defined'),
]
