"""Roots of Debian's releases, made by debootstrap, and commands in them."""
import os
import pathlib
import shlex
import shutil
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
NAMES = {12: 'bookworm', 13: 'trixie'}


class Skip(Exception):
  pass


def call(words, **more):
  done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                        errors='replace', **more)
  return done.returncode, done.stdout


def need(words):
  status, text = call(words)
  assert status == 0, f'{shlex.join(map(str, words))}: status {status}\n{text[-4000:]}'
  return text


def enter(root, command, shared=None):
  """Status and output of a shell's command in the root, where /mnt is the folder shared, if that is there. Its mounts
  end with it."""
  folders = {f'/{name}': name for name in ('proc', 'dev', 'sys')}
  if shared and shared.exists():
    folders[shlex.quote(str(shared))] = 'mnt'
  mounts = ' && '.join(f'mount --rbind {path} {shlex.quote(str(root))}/{name}' for path, name in folders.items())
  inside = ['env', '-i', f'PATH={PATH}', 'HOME=/root', 'DEBIAN_FRONTEND=noninteractive', 'LC_ALL=C.UTF-8', 'sh', '-c',
            command]
  return call(['unshare', '--mount', 'sh', '-c', f'{mounts} && exec chroot {shlex.quote(str(root))} "$@"', 'sh',
               *inside])


def prepare():
  """What a root is made with: the archive's address."""
  if os.getuid():
    raise Skip('only root can make and enter a root')
  if not shutil.which('debootstrap') and call(['apt-get', 'install', '-y', '-qq', 'debootstrap'])[0]:
    raise Skip('there is no debootstrap, and apt-get does not install it')
  if call(['unshare', '--mount', 'chroot', '/', 'true'])[0]:
    raise Skip('no mount and no chroot is possible here')
  mirrors = need(['bash', '-c', f'. {shlex.quote(str(ROOT))}/bin/debian.sh; mirrors']).split()
  if not mirrors:
    raise Skip('apt has no archive of this Debian: name one, INDIUM_MIRROR=http://HOST/debian/')
  return mirrors[0]


def make_base(root, release, mirror):
  """As the image debian:RELEASE-slim."""
  if root.exists():
    return
  work = root.with_name(root.name + '.work')
  shutil.rmtree(work, ignore_errors=True)
  status, text = call(['debootstrap', '--variant=minbase', release, work, mirror])
  if status:
    raise Skip(f'debootstrap makes no root of {release}: {text.strip().splitlines()[-1]}')
  servers = [line for line in need(['apt-config', 'dump']).splitlines() if line.startswith('Acquire::')]
  (work / 'etc/apt/apt.conf.d/90host').write_text('\n'.join(servers) + '\n')
  work.rename(root)
