	buffer_load_dword v1, v0, s[8:11], 0 offen
	s_load_dword s12, s[14:15], null
	ds_write_b32 v0, v1
	s_waitcnt_depctr 0xffe3
	s_bitcmp1_b32 s20, 31
	s_cbranch_scc0 14
	s_bfe_u32 s104, s20, 0x2001c
	s_lshl1_add_u32 s104, s104, 1
	s_setreg_b32 hwreg(HW_REG_POPS_PACKER, 0, 3), s104
	s_bfe_u32 s105, s20, 0xa0010
	s_nand_b32 s104, s20, 0x3ff
	s_add_u32 s105, s105, s104
	s_add_i32 s8, src_pops_exiting_wave_id, s104
	s_cmp_lt_u32 s105, s8
	s_cbranch_scc1 2
	s_sleep 0xffff
	s_branch 65531
	v_readfirstlane_b32 s14, v0
	s_waitcnt_vscnt null, 0x0
	buffer_load_dword v2, v0, s[4:7], 0 offen glc dlc
	s_sendmsg sendmsg(MSG_ORDERED_PS_DONE)
	s_endpgm
