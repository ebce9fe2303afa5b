	v_mov_b32_e32 v0, 1
	v_mov_b32_e32 v1, 2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_f32_e32 v2, v0, v1
	v_add_f32_e32 v3, v2, v0
	v_mov_b32_e32 v4, 3
	v_mov_b32_e32 v5, 3
	v_mov_b32_e32 v6, 3
	s_delay_alu instid0(VALU_DEP_4)
	v_mul_f32_e32 v7, v3, v0
	v_mov_b32_e32 v8, 3
	v_mov_b32_e32 v9, 3
	v_mov_b32_e32 v10, 3
	v_mov_b32_e32 v11, 3
	v_mul_f32_e32 v12, v7, v0
	v_rcp_f32_e32 v0, v1
	v_rcp_f32_e32 v1, v1
	v_mov_b32_e32 v2, 3
	s_delay_alu instid0(TRANS32_DEP_1) | instid1(VALU_DEP_1)
	v_fma_f32 v3, v0, v2, v1
	v_mul_f32_e32 v4, v1, v1
	s_mov_b32 s0, 1
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(SALU_CYCLE_1)
	s_add_u32 s1, s0, s0
	v_mov_b32_e32 v2, s1
	global_store_b32 v0, v2, s[14:15]
	v_add_f32_e32 v3, v2, v2
	s_mov_b32 s1, 1
	s_nop 0
	v_mov_b32_e32 v5, s1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_f32_e32 v6, v3, v3
	v_add_f32_e32 v7, v6, v6
	global_store_b32 v0, v2, s[14:15]
	v_mov_b32_e32 v0, 1
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_4) | instid1(TRANS32_DEP_1)
	v_rcp_f32_e32 v1, v0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	v_mov_b32_e32 v3, v1
	global_store_b32 v0, v2, s[14:15]
	v_mov_b32_e32 v0, 1
	s_delay_alu instid0(VALU_DEP_1)
	v_rcp_f32_e32 v1, v0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_nop 0
	s_delay_alu instid0(TRANS32_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_1)
	v_mov_b32_e32 v3, v1
	v_add_f64 v[4:5], v[6:7], v[6:7]
	s_nop 0
	v_add_f64 v[6:7], v[4:5], v[4:5]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_mov_b32 v0, v6 :: v_dual_mul_f32 v3, v7, v5
	v_mul_f32_e32 v1, v7, v3
	s_cmp_lg_u32 s0, 0
	s_cbranch_scc1 3
	s_delay_alu instid0(VALU_DEP_1)
	v_mov_b32_e32 v2, v1
	s_branch 1
	v_mov_b32_e32 v2, v1
	v_mov_b32_e32 v3, v2
	global_load_b32 v4, v3, s[14:15]
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v5, v4
	s_endpgm
