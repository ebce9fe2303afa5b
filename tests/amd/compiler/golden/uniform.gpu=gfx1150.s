	s_load_b128 s[0:3], s[0:1], null
	v_bfe_u32 v0, v0, 0, 10
	s_mul_i32 s4, s24, 64
	s_delay_alu instid0(VALU_DEP_1) | instid1(SALU_CYCLE_1)
	v_add_nc_u32_e32 v0, s4, v0
	s_delay_alu instid0(VALU_DEP_1)
	v_lshlrev_b32_e32 v0, 2, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_b32 v1, v0, s[0:3], 0 offen
	s_buffer_load_b128 s[4:7], s[0:3], null
	s_waitcnt lgkmcnt(0)
	s_mul_f32 s5, s4, s5
	s_delay_alu instid0(SALU_CYCLE_3) | instskip(NEXT) | instid1(SALU_CYCLE_3)
	s_sub_f32 s8, s5, s6
	s_xor_b32 s9, s8, 0x80000000
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_3)
	s_max_f32 s7, s9, s7
	s_and_b32 s7, s7, 0x7fffffff
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_3)
	s_floor_f32 s9, s7
	s_cmp_lt_f32 s9, s4
	s_min_f32 s4, s9, s6
	s_delay_alu instid0(SALU_CYCLE_3) | instskip(SKIP_2) | instid1(VALU_DEP_1)
	s_cselect_b32 s4, s9, s4
	s_waitcnt vmcnt(0)
	v_dual_mov_b32 v2, s7 :: v_dual_add_f32 v1, s4, v1
	v_fma_f32 v2, s5, s8, v2
	s_delay_alu instid0(VALU_DEP_1)
	v_add_f32_e32 v1, v1, v2
	buffer_store_b32 v1, v0, s[0:3], 0 offen
	s_endpgm
