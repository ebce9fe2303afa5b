"""proven.py MATRIX.csv OUT: what other people's drivers were seen to do on each chip, for `indium gpus`; the rows are
those of `bin/conformance matrix`."""
import collections
import csv
import sys


def main(table, out):
  counts = collections.defaultdict(lambda: [0, 0])
  with open(table, newline='') as file:
    for row in csv.DictReader(file):
      if row['settings'] == 'defaults' and row['result'] not in ('unsupported', 'skipped'):
        cell = counts[row['chip'], row['driver']]
        cell[0] += row['result'] == 'pass'
        cell[1] += 1
  with open(out, 'w') as file:
    for (chip, driver), (passed, total) in counts.items():
      print(f'{{"{chip}", "{driver}", {passed}, {total}}},', file=file)


if __name__ == '__main__':
  main(*sys.argv[1:])
