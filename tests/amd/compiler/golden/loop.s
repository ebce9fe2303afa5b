	s_load_dwordx4 s[0:3], s[0:1], null
	v_lshlrev_b32_e32 v1, 2, v0
	s_waitcnt lgkmcnt(0)
	buffer_load_dword v2, v1, s[0:3], 0 offen
	v_mov_b32_e32 v3, 0
	s_mov_b32 s4, exec_lo
	s_mov_b32 s5, exec_lo
	s_waitcnt vmcnt(0)
	v_cmp_ne_u32_e32 vcc_lo, 0, v2
	s_and_saveexec_b32 s6, vcc_lo
	s_andn2_b32 exec_lo, s6, vcc_lo
	s_cbranch_execz 4
	s_andn2_b32 s5, s5, exec_lo
	v_mov_b32_e32 v2, v3
	s_mov_b32 s7, s5
	s_branch 1
	s_mov_b32 s7, s5
	s_and_b32 exec_lo, s6, s7
	s_cbranch_execz 11
	v_and_b32_e32 v4, 16, v2
	v_cmp_ne_u32_e32 vcc_lo, 0, v4
	s_and_saveexec_b32 s6, vcc_lo
	s_cbranch_execz 3
	v_add_nc_u32_e32 v2, v3, v2
	s_andn2_b32 s5, s5, exec_lo
	s_andn2_b32 s7, s7, exec_lo
	s_and_b32 exec_lo, s6, s7
	s_cbranch_execz 2
	v_lshrrev_b32_e32 v2, 1, v2
	v_xor_b32_e32 v3, v3, v2
	s_mov_b32 exec_lo, s5
	s_cbranch_execz 1
	s_branch 65510
	s_mov_b32 exec_lo, s4
	ds_write_b32 v1, v2
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_barrier
	v_cmp_gt_u32_e32 vcc_lo, 32, v0
	s_and_saveexec_b32 s4, vcc_lo
	s_cbranch_execz 7
	v_sub_nc_u32_e32 v0, 63, v0
	v_lshlrev_b32_e32 v0, 2, v0
	ds_read_b32 v0, v0
	s_waitcnt lgkmcnt(0)
	buffer_atomic_add v0, v1, s[0:3], 0 offen
	s_mov_b32 exec_lo, s4
	s_endpgm
