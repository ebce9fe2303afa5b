	v_rcp_f32_e32 v1, v0
	s_waitcnt_depctr 0xfff
	v_add_f32_e32 v2, v1, v0
	v_rcp_f32_e32 v1, v0
	global_store_b32 v0, v2, s[14:15]
	v_add_f32_e32 v2, v1, v0
	s_delay_alu instid0(VALU_DEP_1)
	v_cndmask_b32_e64 v3, v0, v2, s[4:5]
	s_mov_b64 s[4:5], 0
	s_waitcnt_depctr 0xfffe
	s_mov_b64 s[6:7], s[4:5]
	v_cndmask_b32_e64 v3, v0, v2, s[4:5]
	v_mov_b32_e32 v3, s8
	s_mov_b64 s[4:5], 0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_mov_b64 s[6:7], s[4:5]
	v_mov_b32_e32 v4, 0
	s_mov_b64 exec, s[6:7]
	v_mov_b32_e32 v5, 1
	s_waitcnt_depctr 0xfff
	v_add_f32_e32 v6, v4, v5
	v_add_f32_e32 v7, v4, v5
	global_store_b32 v0, v7, s[14:15]
	s_waitcnt_depctr 0xffe3
	lds_param_load v7, attr0.x wait_vdst:0
	global_store_b32 v0, v8, s[14:15]
	v_mov_b32_e32 v9, 0
	lds_param_load v8, attr0.x wait_vdst:0
	s_cmp_lg_u32 s0, 0
	s_cbranch_scc1 1
	v_exp_f32_e32 v10, v0
	s_waitcnt_depctr 0xfff
	v_add_f32_e32 v11, v10, v0
	s_endpgm
