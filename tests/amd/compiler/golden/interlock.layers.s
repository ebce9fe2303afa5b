	v_lshlrev_b32_e32 v1, 3, v0
	s_bitcmp1_b32 s25, 31
	s_cbranch_scc0 14
	s_bfe_u32 s104, s25, 0x2001c
	s_lshl1_add_u32 s104, s104, 1
	s_setreg_b32 hwreg(HW_REG_POPS_PACKER, 0, 3), s104
	s_bfe_u32 s105, s25, 0xa0010
	s_nand_b32 s104, s25, 0x3ff
	s_add_u32 s105, s105, s104
	s_add_i32 s0, src_pops_exiting_wave_id, s104
	s_cmp_lt_u32 s105, s0
	s_cbranch_scc1 2
	s_sleep 0xffff
	s_branch 65531
	v_mbcnt_lo_u32_b32 v2, -1, 0
	v_lshrrev_b32_e32 v2, 2, v2
	v_lshl_add_u32 v2, 2, v2, -1
	s_and_b32 s0, s26, 0xfe
	v_and_b32_e32 v2, s0, v2
	v_bcnt_u32_b32 v2, v2, 0
	s_bcnt1_i32_b32 s0, s0
	s_add_u32 s0, s0, 1
	s_mov_b32 s1, 0
	v_cmp_eq_u32_e32 vcc_lo, s1, v2
	s_and_saveexec_b32 s2, vcc_lo
	s_cbranch_execz 23
	buffer_load_dword v3, v1, s[4:7], 0 offen glc dlc
	s_waitcnt vmcnt(0)
	v_mul_lo_u32 v3, v3, 3
	v_add_nc_u32_e32 v3, v3, v0
	buffer_store_dword v3, v1, s[4:7], 0 offen glc
	buffer_load_dword v4, v1, s[4:7], 0 offen
	s_waitcnt vmcnt(0)
	v_cmp_lt_u32_e64 s3, v4, v3
	s_and_saveexec_b32 s3, s3
	s_cbranch_execz 7
	v_add_nc_u32_e32 v3, 4, v1
	buffer_load_dword v5, v3, s[4:7], 0 offen glc dlc
	s_waitcnt vmcnt(0)
	v_add_nc_u32_e32 v5, v5, v4
	buffer_store_dword v5, v3, s[4:7], 0 offen glc
	s_mov_b32 exec_lo, s3
	s_andn2_b32 exec_lo, s2, vcc_lo
	s_cbranch_execz 1
	v_mov_b32_e32 v4, v3
	s_mov_b32 exec_lo, s2
	s_add_u32 s1, s1, 1
	s_cmp_ge_u32 s1, s0
	s_cbranch_scc1 2
	v_mov_b32_e32 v3, v4
	s_branch 65501
	s_waitcnt_vscnt null, 0x0
	s_sendmsg sendmsg(MSG_ORDERED_PS_DONE)
	v_mov_b32_e32 v0, 0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v2, 0
	exp mrt0 v4, v0, v1, v2 done vm
	s_endpgm
