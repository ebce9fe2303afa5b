#!/usr/bin/python3
"""docs/drm-shim.md has a row for each ioctl of the dispatch tables, and for no other.

Usage: test_ioctl_rows.py SOURCE_ROOT. The tests that a row names are there, and programs of IGT stand in the list of
bin/conformance igt.
"""
import pathlib
import re
import sys

# Title of a table in the page, the sources of its ioctls, and how they name them.
TABLES = {
  'Of every DRM driver': [
    (['src/drm-shim/ioctl.c', 'src/drm-shim/ioctl_syncobj.c'], r'case _IOC_NR\(DRM_IOCTL_(\w+)\)|case DRM_(\w+)_NR:'),
    (['src/drm-shim/ioctl_primary.c'], r'\{ONE\((\w+)\),|^   \{([A-Z]\w+), \w+, \{'),
  ],
  "amdgpu's": [(['src/amd/drm-shim/device.c'], r'\[(?:DRM_AMDGPU|AMD)_(\w+)\] = \{')],
  "asahi's": [(['src/asahi/drm-shim/device.c'], r'\[DRM_ASAHI_(\w+)\] = \{')],
}
COLUMNS = 5  # ioctl, answer, errors, ignored, tests


def dispatched(root, sources):
  return {next(filter(None, match)) for files, pattern in sources for file in files
          for match in [m if isinstance(m, tuple) else (m,)
                        for m in re.findall(pattern, (root / file).read_text(), re.M)]}


def rows(page, title):
  section = page.partition(f'\n### {title}\n')[2].partition('\n#')[0]
  lines = [line for line in section.splitlines() if line.startswith('| `')]
  return [[cell.strip() for cell in re.split(r'(?<!\\)\|', line)[1:-1]] for line in lines]


def faults_of_row(cells, tests, programs):
  if len(cells) != COLUMNS:
    return [f'{len(cells)} columns']
  faults = [] if cells[1] or cells[2] else ['neither answer nor error']
  named = re.findall(r'(IGT )?`([\w.]+)`', cells[4])
  faults += [] if named else ['no test']
  return faults + [f'no test {name}' for igt, name in named if name not in (programs if igt else tests)]


def main():
  root = pathlib.Path(sys.argv[1])
  page = (root / 'docs/drm-shim.md').read_text()
  tests = {p.name for p in root.glob('tests/**/drm-shim/test_*')}
  listed = (root / 'tests/conformance/igt.txt').read_text().split()
  programs = {word.partition('@')[0].rpartition('/')[2] for word in listed}
  count, faults = 0, []
  for title, sources in TABLES.items():
    known, seen = dispatched(root, sources), []
    for cells in rows(page, title):
      names = re.findall(r'`(\w+)`', cells[0])
      seen += names
      faults += [f'{title} {cells[0]}: {fault}' for fault in faults_of_row(cells, tests, programs)]
    faults += [f'{title} {name}: no row' for name in sorted(known - set(seen))]
    faults += [f'{title} {name}: a row, and no such ioctl' for name in sorted(set(seen) - known)]
    faults += [f'{title} {name}: two rows' for name in sorted({name for name in seen if seen.count(name) > 1})]
    faults += [] if known else [f'{title}: no ioctl found in the sources']
    count += len(known)
  for fault in faults:
    print(fault)
  print(f'{count} ioctls, {len(faults)} faults')
  return bool(faults)


if __name__ == '__main__':
  sys.exit(main())
