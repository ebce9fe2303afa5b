	s_mov_b32 m0, s24
	s_mov_b32 s2, exec_lo
	s_wqm_b32 exec_lo, exec_lo
	s_clause 0x2
	s_load_dwordx4 s[8:11], s[0:1], 0x10
	s_load_dwordx4 s[4:7], s[0:1], null
	s_load_dwordx4 s[12:15], s[0:1], 0x20
	v_interp_p1_f32_e32 v2, v0, attr0.x
	v_interp_p1_f32_e32 v0, v0, attr0.y
	v_interp_p2_f32_e32 v2, v1, attr0.x
	v_interp_p2_f32_e32 v0, v1, attr0.y
	s_waitcnt lgkmcnt(0)
	image_sample v[0:3], [v2, v0], s[4:11], s[12:15] dmask:0xf dim:SQ_RSRC_IMG_2D
	v_interp_mov_f32_e32 v4, p0, attr1.w
	s_waitcnt vmcnt(0)
	v_mul_f32_e32 v3, v3, v4
	v_interp_mov_f32_e32 v4, p0, attr1.x
	v_interp_mov_f32_e32 v5, p0, attr1.y
	v_interp_mov_f32_e32 v6, p0, attr1.z
	v_mul_f32_e64 v0, v0, v4 clamp
	v_mul_f32_e64 v1, v1, v5 clamp
	v_mul_f32_e64 v2, v2, v6 clamp
	v_cmp_gt_f32_e32 vcc_lo, 0.5, v3
	s_and_saveexec_b32 s0, vcc_lo
	s_cbranch_execz 2
	s_and_b32 s1, -1, exec_lo
	s_andn2_b32 s2, s2, s1
	s_mov_b32 exec_lo, s0
	v_max_f32_e64 v3, v3, v3 clamp
	s_mov_b32 exec_lo, s2
	exp mrt0 v0, v1, v2, v3 done vm
	s_endpgm
