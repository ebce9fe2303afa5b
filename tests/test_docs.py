#!/usr/bin/python3
"""What the documents name in backticks is there: files, folders, links to pages and headings, functions and commands.

Usage: test_docs.py SOURCE_ROOT BUILD_ROOT. A word with a slash or an ending is a path, from the root or the end of
one; a word with an underscore is a name of the sources or of what is generated from them. Words with *, {, < or an
uppercase stem (FILE.frag) stand for several or any.
"""
import pathlib
import re
import sys

ENDINGS = {'.c', '.h', '.py', '.md', '.txt', '.sh', '.toml', '.inl', '.json', '.in', '.build', '.csv'}
# Of other people's software.
FOREIGN = {'amdgpu_drm.h', 'amdgpu_test', 'avgblur_vulkan', 'gblur_vulkan', 'loader_validate_device_extensions'}


def listing(root, build):
  skipped = {p.name for p in root.glob('build*')} | {'.git', '__pycache__', 'out'}
  sources = [p for p in root.rglob('*') if not skipped & set(p.relative_to(root).parts)]
  generated = [p for p in build.rglob('*') if not any(part.endswith('.p') for part in p.parts)]
  return ([p.relative_to(root).as_posix() for p in sources],
          [p.relative_to(build).as_posix() for p in generated],
          [p for p in sources + generated if p.suffix in ENDINGS and p.suffix not in ('.md', '.csv', '.json')])


def anchors(text):
  """What links to a page may name after #: GitHub's names of its headings, and <a id>."""
  headings = re.findall(r'^#+ +(.+)$', re.sub(r'^```.*?^```', '', text, flags=re.M | re.S), re.M)
  names = [re.sub(r'[^\w\- ]', '', re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', heading)).lower().replace(' ', '-')
           for heading in headings]
  return {*names, *(f'{name}-{n}' for name in names for n in range(1, names.count(name))),
          *re.findall(r'<a id="([^"]+)"', text)}


def links(page, text):
  """Those of the page that lead nowhere."""
  missing = []
  for path, anchor in re.findall(r'\]\(([^)#:]*)(#[^)]*)?\)', text):
    to = page.parent / path if path else page
    if not to.exists() or to.suffix == '.md' and anchor and anchor[1:] not in anchors(to.read_text()):
      missing.append(path + anchor)
  return missing


def is_path(word):
  return '/' in word or pathlib.PurePath(word).suffix in ENDINGS


def main():
  root, build = (pathlib.Path(arg).resolve() for arg in sys.argv[1:3])
  sources, generated, files = listing(root, build)
  known = sources + [f'build/{p}' for p in generated]
  names = set()
  for file in files:
    names |= set(re.findall(r'\w+', file.read_text(errors='replace'))) if file.is_file() else set()
  wrong = count = 0
  for page in [root / 'README.md', root / 'CONTRIBUTING.md', *sorted(root.glob('docs/**/*.md'))]:
    text = page.read_text()
    missing = links(page, text)
    for quoted in re.findall(r'`([^`\n]+)`', text):
      for word in re.findall(r'[^\s,;()]+', quoted):
        word = word.removeprefix('./').rstrip('/.:')
        if re.search(r'[*{}<>$\[\]|=]|^[-/~]|://|\bbuild-|(^|/)[A-Z-]+(\.\w+)?($|/)', word) or word in FOREIGN:
          continue
        if is_path(word):
          count += 1
          missing += [] if any(p == word or p.endswith('/' + word) for p in known) else [word]
        elif re.fullmatch(r'[a-z]\w*_\w+', word):
          count += 1
          missing += [] if word in names else [word]
    for word in missing:
      print(f'{page.relative_to(root)} names {word}, which is not there')
    wrong += len(missing)
  print(f'{count} names in documents, {wrong} wrong')
  return wrong or not count


if __name__ == '__main__':
  sys.exit(bool(main()))
