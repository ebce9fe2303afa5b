#!/usr/bin/python3
"""Generates the structs of generations from traits.txt, one for each side: traits_gen.py SIDE.h OUTPUT traits.txt

util/traits.py describes the format."""
from hw_tables import GENERATIONS  # also finds the folder of traits.py
from hw_generator import generate
from traits import Traits, Vendor, makers

ENUMERATORS = ['AMD_GFX9', 'AMD_GFX10', 'AMD_GFX10_3', 'AMD_GFX11', 'AMD_GFX11_5']
AMD = Vendor(
  'amd', dict(zip(GENERATIONS, ENUMERATORS)),
  {'driver': 'ac_gpu_traits', 'compiler': 'aco_target', 'model': 'amd_traits'},
  {'bool': 'bool', 'u8': 'uint8_t', 'u16': 'uint16_t', 'u32': 'uint32_t', 'unsigned': 'unsigned',
   'range': 'struct aco_offsets', 'offsets4': 'uint32_t', 'targets': 'uint64_t'}, 'amd/hw/gen.h')

if __name__ == '__main__':
  generate(makers(AMD), lambda paths: Traits(AMD, paths))
