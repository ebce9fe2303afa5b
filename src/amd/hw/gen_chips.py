#!/usr/bin/python3
"""Writes the rows of chips.toml as C: gen_chips.py chips.toml chips.c"""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / 'util'))
from hw_generator import find_by_name, generated, initializer, read_chips

REQUIRED = '''device_id pci_rev subsystem_id family external_rev chip_rev hw_ip_major ip_discovery_version num_se
  num_sa_per_se num_cu_per_sa num_rb_pipes enabled_rb_pipes_mask num_tcc_blocks gb_addr_config gpu_counter_freq_kHz
  max_engine_clock_kHz max_memory_clock_kHz vram_type vram_bit_width vram_B visible_vram_B gtt_B ids_flags
  wave_front_size num_shader_visible_vgprs ce_ram_B gc_double_offchip_lds_buf sdma_version sdma_rings'''.split()
# Fields that most rows share: value unless the row says otherwise.
DEFAULTS = dict(subsystem_vendor=0x1002, hw_ip_minor=0, pa_sc_tile_steering_override=0, gl1c_cache_KiB=0,
                gl2c_cache_KiB=0, mall_B=0, low_ls_vgprs=0, rolls_lose_scissors=0, has_etc2=0, out_of_order=0,
                bad_dcc_loads=0, more_vgprs=0, va_first=0x200000, va_end=0x800000000000,
                high_va_first=0xffff800000000000, high_va_end=0xffffffffffe00000)
# gfx11 and later report their small caches, earlier generations 0.
GFX11_CACHES = dict(tcp_cache_KiB=32, sqc_data_cache_KiB=16, sqc_inst_cache_KiB=32, num_sqc_per_wgp=1)
SPECIAL = {'name', 'source', 'chosen', 'gfx_target', 'gen', 'other_device_ids', 'external_revs', 'cu_bitmap',
           'me', 'pfp', 'mec'}

FUNCTIONS = find_by_name('amd') + '''
const struct amd_chip *
amd_chip_by_revision(uint32_t family, uint32_t external_rev)
{
   for (unsigned i = 0; i < amd_chip_count; i++) {
      const struct amd_chip *chip = &amd_chips[i];
      if (chip->family == family && external_rev >= chip->external_rev_first &&
          external_rev <= chip->external_rev_last)
         return chip;
   }
   return NULL;
}
'''


def check(row):
  name = row['name']
  missing = [k for k in REQUIRED if k not in row]
  unknown = set(row) - set(REQUIRED) - set(DEFAULTS) - set(GFX11_CACHES) - SPECIAL
  assert not missing, f'{name}: missing {missing}'
  assert not unknown, f'{name}: unknown {unknown}'
  assert row['source'] in ('dump', 'chosen'), f'{name}: unknown source'
  assert len(row.get('other_device_ids', [])) <= 4, f'{name}: too many device ids'
  first, last = row['external_revs']
  assert first <= row['external_rev'] <= last, f'{name}: external_rev outside its range'
  assert row['num_rb_pipes'] >= bin(row['enabled_rb_pipes_mask']).count('1'), f'{name}: more RBs enabled than exist'
  for cu_mask in sum(row['cu_bitmap'], []):
    assert cu_mask < 1 << row['num_cu_per_sa'], f'{name}: CU mask {cu_mask:#x} is too wide'


def c_row(row):
  check(row)
  new = row['hw_ip_major'] >= 11
  fields = {**DEFAULTS, **{k: v if new else 0 for k, v in GFX11_CACHES.items()},
            **{k: v for k, v in row.items() if k not in SPECIAL}}
  fields['external_rev_first'], fields['external_rev_last'] = row['external_revs']
  fields['num_cu_active'] = sum(bin(m).count('1') for m in sum(row['cu_bitmap'], []))
  out = [f'.name = "{row["name"]}", .gfx_target = "{row["gfx_target"]}", .gen = AMD_{row["gen"]}']
  if ids := row.get('other_device_ids'):
    out.append('.other_device_ids = {' + ', '.join(map(hex, ids)) + '}')
  out.append('.cu_bitmap = {' + ', '.join('{' + ', '.join(map(hex, se)) + '}' for se in row['cu_bitmap']) + '}')
  out += [f'.{fw} = {{{row[fw][0]}, {row[fw][1]}}}' for fw in ('me', 'pfp', 'mec')]
  out += [f'.{k} = {v:#x}' for k, v in fields.items()]
  return initializer(out)


def main():
  rows = read_chips(sys.argv[1])['chip']
  for i, a in enumerate(rows):
    for b in rows[:i]:
      assert a['family'] != b['family'] or a['external_revs'][0] > b['external_revs'][1] or \
        b['external_revs'][0] > a['external_revs'][1], f'{a["name"]} and {b["name"]} answer to the same revision'
  with open(sys.argv[2], 'w') as f:
    f.write(generated('chips.toml') + '\n#include "amd/hw/chips.h"\n\n#include <string.h>\n\n')
    f.write(f'const unsigned amd_chip_count = {len(rows)};\nconst struct amd_chip amd_chips[] = {{\n')
    f.write(''.join(map(c_row, rows)) + '};\n' + FUNCTIONS)


if __name__ == '__main__':
  main()
