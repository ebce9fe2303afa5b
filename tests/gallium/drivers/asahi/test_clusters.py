#!/usr/bin/python3
"""Atomics say that other clusters share the memory on the chips where they must: G13 with several clusters, and chips
of several dies (what Honeykrisp and Mesa's GL driver do).

Usage: test_clusters.py INDIUM SHADER.comp
"""
import re
import subprocess
import sys

SHARED = {'m1': False, 'm1pro': True, 'm1max': True, 'm1ultra': True,
          'm2': False, 'm2pro': False, 'm2max': False, 'm2ultra': True}


def main():
  indium, shader = sys.argv[1:]
  for chip, shared in SHARED.items():
    run = subprocess.run([indium, 'shader', shader, '--gpu', chip, '--print', 'asm'], check=True, text=True,
                         stdout=subprocess.PIPE)
    found = re.findall(r'atomic .*\b(coherent\d?)\b', run.stdout)
    assert found == ['coherent' if shared else 'coherent1'], f'{chip}: {found}'


if __name__ == '__main__':
  main()
