	v_mov_b32_e32 v0, v5
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_4) | instid1(VALU_DEP_1)
	v_mov_b32_e32 v1, v0
	s_cmp_lg_u32 s0, 0
	s_mov_b32 exec_lo, s0
	v_dual_mul_f32 v0, s0, v4 :: v_dual_add_f32 v1, v6, v5
	s_mov_b32 exec_lo, s0
	v_dual_fmac_f32 v0, v4, v5 :: v_dual_fmaak_f32 v1, v5, v6, 0x40490fdb
	s_mov_b32 exec_lo, s0
	v_dual_fmamk_f32 v0, v4, 0x40490fdb, v2 :: v_dual_mul_f32 v1, 0x40490fdb, v6
	s_mov_b32 exec_lo, s0
	v_dual_add_f32 v0, v4, v5 :: v_dual_add_f32 v1, v5, v6
	global_load_b32 v8, v2, s[14:15]
	s_waitcnt vmcnt(0)
	v_max_i32_e32 v10, v8, v9
	s_waitcnt vmcnt(0)
	v_dual_sub_f32 v2, v4, v5 :: v_dual_min_f32 v3, v7, v8
	s_mov_b32 exec_lo, s0
	v_mov_b32_e32 v0, v5
	s_delay_alu instid0(VALU_DEP_1)
	v_mov_b32_e32 v1, v0
	s_mov_b32 exec_lo, s0
	v_mov_b32_e32 v0, v4
	v_mov_b32_e32 v2, v5
	s_mov_b32 exec_lo, s0
	v_mov_b32_e32 v0, v4
	v_mov_b32_e32 v1, v8
	s_mov_b32 exec_lo, s0
	v_mov_b32_e32 v0, 0x1234
	v_mov_b32_e32 v1, 0x1235
	s_mov_b32 exec_lo, s0
	v_fma_f32 v0, v4, 0x3a000000, -1.0
	v_add_f32_e32 v1, v5, v6
	s_mov_b32 exec_lo, s0
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(VALU_DEP_2)
	v_fma_f32 v0, s1, v4, v0
	v_cndmask_b32_e32 v1, s2, v5, vcc_lo
	s_mov_b32 exec_lo, s0
	v_dual_fmac_f32 v0, s1, v4 :: v_dual_cndmask_b32 v1, s1, v5
	s_mov_b32 exec_lo, s0
	v_mov_b32_e32 v0, v4
	v_add_f32_e64 v1, -v5, v6
	s_mov_b32 exec_lo, s0
	v_mov_b32_e32 v0, v4
	v_cndmask_b32_e64 v1, v5, v6, s4
	s_mov_b32 exec_lo, s0
	v_and_b32_e32 v0, v4, v5
	v_add_nc_u32_e32 v1, v5, v6
	s_mov_b32 exec_lo, s0
	v_dual_mov_b32 v1, 3 :: v_dual_lshlrev_b32 v0, 3, v5
	s_mov_b32 exec_lo, s0
	v_rcp_f32_e32 v0, v4
	v_mul_f32_e32 v5, 2.0, v5
	s_mov_b32 exec_lo, s0
	v_mov_b32_e32 v0, v4
	global_store_b64 v6, v[0:1], s[14:15]
	v_mov_b32_e32 v1, v5
	s_endpgm
