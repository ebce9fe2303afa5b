#!/usr/bin/python3
"""Generates the structs of kinds of cores from traits.txt, one for each side: traits_gen.py SIDE.h OUTPUT traits.txt

util/traits.py describes the format."""
from hw_tables import GENERATIONS  # also finds the folder of traits.py
from hw_generator import generate
from traits import Traits, Vendor, makers

AGX = Vendor('agx', {gen: f'AGX_{gen.upper()}' for gen in GENERATIONS},
             {'driver': 'agx_driver_traits', 'model': 'agx_model_traits'}, {'bool': 'bool', 'u8': 'uint8_t'},
             'asahi/hw/gen.h')

if __name__ == '__main__':
  generate(makers(AGX), lambda paths: Traits(AGX, paths))
