#!/usr/bin/python3
"""No generation is named outside the tables, and bin/check_generations.py would notice one."""
import pathlib
import sys

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / 'bin'))
import check_generations

FAULTS = ['if (gen >= AMD_GFX11)', 'switch (gen) {\ncase AMD_GFX9:\n', 'if (chip->gen != AMD_GFX10_3)',
          'if (gen < other)', 'if (gen == AGX_G14X) {', 'x = screen->gen == AGX_G13X || y;', '   [AGX_G13] = 3,',
          'switch (gen) {\ncase AGX_G13:\n', '/* g14 */ if (params->gpu_generation >= 14)',
          'if (!strcmp(chip->core, "g14s"))', '/* a\n * comment */ enum agx_gen gen = AGX_G13;',
          'if (state->gen == INTEL_GEN7_5)', '   [INTEL_GEN9] = true,', 'product = params->gpu_generation - 12;']
FINE = ['.gen = screen->info.gen,', 'enum amd_gen gen = w->launch->chip->gen;', 'const char *genre;',
        'x = AGX_GEN_COUNT;', '/* "g13g",\n AGX_G13 */', 'if (p->gen != launch->chip->gen)',
        'while (pool->generation == *seen)', 'agx_gens[screen->gen].clusters', 'AGX_CDM_CLUSTERS_GENS >> gen & 1',
        'intel_uav_caps[state->gen].loses_vs_flush', 'for (i = 0; i < INTEL_GENS; i++)']


def main():
  for name in 'gallium/drivers/radeonsi/draw/si_draw.c', 'gallium/drivers/asahi/draw/agx_draw.c', 'asahi/sim/gpu.h':
    assert all(len(check_generations.check(name, text)) == 1 for text in FAULTS)
    assert not any(check_generations.check(name, text) for text in FINE)
  for name in 'amd/common/ac_pops_caps.c', 'asahi/hw/chips.h':
    assert not any(check_generations.check(name, text) for text in FAULTS)
  return check_generations.main()


if __name__ == '__main__':
  sys.exit(main())
