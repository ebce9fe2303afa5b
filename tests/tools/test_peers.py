#!/usr/bin/python3
"""bin/peers with a stand-in for apt, and indium run in folders made like what it unpacks: test_peers.py INDIUM."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
LIBRARIES = 'usr/lib/x86_64-linux-gnu'
# $ARCHIVE holds packages, where they can be reached, and a log of the sources that were asked.
APT = r"""#!/bin/sh
config() { sed -n "s/.*$1 \"\([^\"]*\)\".*/\1/p" "$APT_CONFIG"; }
case "$*" in
*indextargets*)
   echo "elsewhere main http://elsewhere.invalid/debian/"
   echo "$CODENAME stable http://vendor.invalid/debian/"
   echo "$CODENAME main http://mirror.invalid/debian/" ;;
*update*)
   cat "$(config Dir::Etc::SourceList)" >> "$ARCHIVE/log"
   grep -q "^deb .* $(cat "$ARCHIVE/reached")" "$(config Dir::Etc::SourceList)" && exit 0
   echo "W: something" >&2; echo "E: no way to the archive" >&2; exit 100 ;;
*--print-uris*)
   for deb in "$ARCHIVE"/*.deb; do echo "'http://x/pool/a_1_all.deb' ${deb##*/} 100 MD5Sum:0"; done ;;
*--download-only*)
   [ -e "$ARCHIVE/broken" ] && { echo "E: hash sum mismatch" >&2; exit 100; }
   cp "$ARCHIVE"/*.deb "$(config Dir::Cache)/archives/" ;;
*" download "*)
   [ -e "$ARCHIVE/broken" ] && { echo "E: hash sum mismatch" >&2; exit 100; }
   cp "$ARCHIVE"/*.deb . ;;
esac
"""


def write(path, text, mode=0o644):
  path.parent.mkdir(parents=True, exist_ok=True)
  path.write_text(text)
  path.chmod(mode)


def package(archive, name, version, files):
  with tempfile.TemporaryDirectory() as folder:
    tree = pathlib.Path(folder)
    write(tree / 'DEBIAN/control', f'Package: {name}\nVersion: {version}\nArchitecture: amd64\n'
                                   'Maintainer: x <x@x.invalid>\nDescription: x\n')
    for file in files:
      write(tree / file, f'{name} {version}\n')
    for old in archive.glob(f'{name}_*'):
      old.unlink()
    target = archive / f'{name}_{version.replace(":", "%3a")}_amd64.deb'
    subprocess.run(['dpkg-deb', '--root-owner-group', '--build', folder, target], check=True, capture_output=True,
                   timeout=60)


def codename():
  words = re.search(r'^VERSION_CODENAME=(\S+)', pathlib.Path('/etc/os-release').read_text(), re.M)
  return words[1] if words else ''


class Fetching:
  """bin/peers in a folder of its own, with a stand-in for apt-get."""

  def __init__(self, folder):
    self.archive, self.peers = folder / 'archive', folder / 'some peers'
    write(folder / 'path/apt-get', APT, 0o755)
    write(self.archive / 'reached', 'http://mirror.invalid')
    self.environment = {**os.environ, 'PATH': f'{folder / "path"}:{os.environ["PATH"]}', 'ARCHIVE': str(self.archive),
                        'CODENAME': codename(), 'INDIUM_PEERS': str(self.peers)}
    self.release('26.1-1')

  def release(self, version):
    package(self.archive, 'mesa-vulkan-drivers', version, [
      'usr/share/vulkan/icd.d/radeon_icd.json', 'usr/share/doc/x/copyright', f'{LIBRARIES}/libvulkan_radeon.so'])
    package(self.archive, 'libc6', '2:2.41-1', ['lib64/ld-linux-x86-64.so.2', 'lib/x86_64-linux-gnu/libc.so.6'])
    package(self.archive, 'mesa-drm-shim', '26.1.6-1', [f'{LIBRARIES}/libamdgpu_noop_drm_shim.so'])
    package(self.archive, 'mesa-utils-bin', '9-1', ['usr/bin/eglinfo.x86_64-linux-gnu'])

  def run(self, *arguments, status=0, says=''):
    done = subprocess.run([ROOT / 'bin/peers', *arguments], env=self.environment, capture_output=True, text=True,
                          timeout=60)
    assert done.returncode == status, (arguments, done)
    if status:
      assert len(done.stderr.splitlines()) == 1 and says in done.stderr and not done.stdout, (arguments, done)
      assert done.stderr.startswith('bin/peers: '), done
    else:
      assert not done.stderr, (arguments, done)
      assert says in done.stdout, (arguments, done)
    assert not (self.peers / '.work').exists(), 'what is only for fetching goes away'
    return done.stdout

  def asked(self):
    log = self.archive / 'log'
    lines = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return lines


def check_fetch(folder):
  fetching = Fetching(folder)
  for arguments, says in [
      (['mesa24'], 'there are: mesa25 mesa26'), (['--what'], '--what'), (['--list', 'mesa25'], '--list'),
      (['mesa26', ''], 'there is no ""'), (['mesa25 mesa26'], 'there is no "mesa25 mesa26"'),
      (['--update', 'mesa2'], '"mesa2"')]:
    fetching.run(*arguments, status=2, says=says)
  assert not fetching.asked() and not fetching.peers.exists()
  names = re.findall(r'^(\S+) +not fetched$', fetching.run('--list'), re.M)
  assert names == ['mesa25', 'mesa26', 'mesa-sid', 'mesa-shim', 'piglit', 'igt']
  said = fetching.run(says='mesa-sid: fetched 26.1-1')
  assert 'mesa-shim: fetched 26.1.6-1' in said, said
  keyring = '[signed-by=/usr/share/keyrings/debian-archive-keyring.gpg]'
  assert fetching.asked() == [
    f'deb {keyring} http://mirror.invalid/debian/ {suite} main'
    for suite in [*(release + part for release in ('bookworm', 'trixie') for part in ('', '-updates', '-backports')),
                  'sid', *('trixie' + part for part in ('', '-updates', '-backports'))]]
  new, old = fetching.peers / 'mesa26', fetching.peers / 'mesa25'
  assert (fetching.peers / 'mesa-shim/usr/lib64/ld-linux-x86-64.so.2').exists(), 'the shims need a newer C library'
  assert (new / 'lib/x86_64-linux-gnu/libc.so.6').samefile(new / LIBRARIES / 'libc.so.6')
  assert (new / 'usr/lib64/ld-linux-x86-64.so.2').read_text() == 'libc6 2:2.41-1\n'
  assert not (old / 'lib64/ld-linux-x86-64.so.2').exists() and not (old / LIBRARIES / 'libc.so.6').exists()
  for tree in (new, old):
    assert (tree / LIBRARIES / 'libvulkan_radeon.so').exists() and not (tree / 'usr/share/doc').exists()
    assert (tree / 'usr/bin/eglinfo').read_text() == 'mesa-utils-bin 9-1\n'
    assert (tree / 'versions').read_text() == (
      'libc6 2:2.41-1 amd64\nmesa-drm-shim 26.1.6-1 amd64\nmesa-utils-bin 9-1 amd64\n'
      'mesa-vulkan-drivers 26.1-1 amd64\n')
  check_update(fetching, new, old)
  check_piglit(fetching)
  check_igt(fetching)


def check_piglit(fetching):
  """Only when it is named, without what the system has."""
  tests = fetching.peers / 'piglit'
  assert not tests.exists()
  fetching.environment['INDIUM_MIRROR'] = 'http://named.invalid/debian/'
  package(fetching.archive, 'piglit', '7', [f'{LIBRARIES}/piglit/bin/x'])
  package(fetching.archive, 'libwaffle-1-0', '1', [f'{LIBRARIES}/libwaffle-1.so.0'])
  fetching.run('piglit', says='piglit: fetched 7')
  files = {str(path.relative_to(tests)) for path in tests.rglob('*') if path.is_file()}
  assert files == {'versions', f'{LIBRARIES}/piglit/bin/x', f'{LIBRARIES}/libwaffle-1.so.0'}, files
  assert 'piglit    7' in fetching.run('--list')


def check_igt(fetching):
  """Only when it is named, from unstable, with the C library that it needs."""
  tests = fetching.peers / 'igt'
  assert not tests.exists()
  fetching.asked()
  program = 'usr/libexec/igt-gpu-tools/syncobj_basic'
  package(fetching.archive, 'igt-gpu-tools-tests', '2.5-1', [program])
  fetching.run('igt', says='igt: fetched 2.5-1')
  assert (tests / program).exists() and (tests / 'usr/lib64/ld-linux-x86-64.so.2').exists()
  assert all(' sid main' in line for line in fetching.asked())


def check_update(fetching, new, old):
  fetching.release('26.2-1~bpo13+1')
  fetching.run('mesa26', says='mesa26: 26.1-1 is there')
  assert not fetching.asked(), 'what is there needs no network'
  fetching.run('--update', 'mesa26', says='mesa26: fetched 26.2-1~bpo13+1')
  fetching.run('--update', 'mesa26', says='mesa26: 26.2-1~bpo13+1 is the newest')
  assert re.findall(r'^mesa\d.*', fetching.run('--list'), re.M) == ['mesa25    26.1-1', 'mesa26    26.2-1~bpo13+1']
  # What goes wrong leaves what was there; the archive that the user names is the second choice.
  fetching.release('26.3-1')
  (fetching.archive / 'broken').touch()
  fetching.run('--update', status=1, says='mesa25: E: hash sum mismatch')
  (fetching.archive / 'broken').unlink()
  write(fetching.archive / 'reached', 'http://nowhere.invalid')
  fetching.run('--update', 'mesa26', status=1, says='mesa26: no list of packages: E: no way to the archive')
  assert '26.2-1' in (new / 'versions').read_text() and '26.1-1' in (old / 'versions').read_text()
  fetching.asked()
  write(fetching.archive / 'reached', 'http://named.invalid')
  fetching.environment['INDIUM_MIRROR'] = 'http://named.invalid/debian/'
  fetching.run('--update', 'mesa25', says='mesa25: fetched 26.3-1')
  assert [line.split()[2] for line in fetching.asked()] == ['http://mirror.invalid/debian/'] * 3 + [
    'http://named.invalid/debian/'] * 3


def make_peers(folder):
  """A release that runs on the system's C library, and one with a loader of its own: the system's."""
  for name in ('mesa25', 'mesa26'):
    for file in ('usr/share/vulkan/icd.d/radeon_icd.json', 'usr/share/vulkan/icd.d/asahi_icd.json',
                 f'{LIBRARIES}/dri/radeonsi_dri.so'):
      write(folder / name / file, '{}')
    (folder / name / 'usr/bin').mkdir()
    (folder / name / 'usr/bin/false').symlink_to('/bin/true')
  (folder / 'mesa26/usr/lib64').mkdir()
  (folder / 'mesa26/usr/lib64/ld-linux-x86-64.so.2').symlink_to('/lib64/ld-linux-x86-64.so.2')


def run(peers, driver, *program, **environment):
  unset = ('LD_PRELOAD', 'LD_LIBRARY_PATH', 'INDIUM_GPU', 'INDIUM_MODE', 'RADV_DEBUG', 'AMD_DEBUG')
  clean = {k: v for k, v in os.environ.items() if k not in unset}
  return subprocess.run([sys.argv[1], 'run', '--driver', driver, '--plain', '--', *program], capture_output=True,
                        text=True, timeout=60, env={**clean, 'INDIUM_PEERS': str(peers), **environment})


def check_absent(folder):
  for driver in ('radv-25', 'radeonsi-25', 'radv-26', 'radeonsi-26'):
    done = run(folder / 'none', driver, 'true')
    assert done.returncode == 77 and len(done.stderr.splitlines()) == 1 and not done.stdout, done
    assert f'bin/peers mesa{driver[-2:]} fetches it' in done.stderr, done
  (folder / 'none').mkdir()
  assert run(folder / 'none', 'radv-26', 'true').returncode == 77


def check_list(peers):
  """indium drivers: what run takes, and the versions of what was fetched."""
  system = subprocess.run(['dpkg-query', '-W', '-f', '${Version}', 'mesa-vulkan-drivers'], capture_output=True,
                          text=True, timeout=60)
  mine = f"Mesa {system.stdout or 'unknown'}, the system's"
  write(peers / 'mesa26/versions', 'libmesa-vulkan-drivers 3 amd64\nmesa-vulkan-drivers 26.1.6-1~bpo13+1 amd64\n')
  done = subprocess.run([sys.argv[1], 'drivers'], capture_output=True, text=True, timeout=60,
                        env={**os.environ, 'INDIUM_PEERS': str(peers)})
  rows = [line.split(None, 2) for line in done.stdout.splitlines()]
  old, new, sid = 'not here: bin/peers mesa25', 'Mesa 26.1.6-1~bpo13+1', 'not here: bin/peers mesa-sid'
  assert done.returncode == 0 and rows[0][:2] == ['indium', 'Vulkan'] and rows[0][2].startswith('Indium '), done
  assert rows[1:] == [
    ['radv', 'Vulkan', mine], ['radeonsi', 'OpenGL', mine],
    ['radv-25', 'Vulkan', old], ['radeonsi-25', 'OpenGL', old],
    ['radv-26', 'Vulkan', new], ['radeonsi-26', 'OpenGL', new], ['radv-sid', 'Vulkan', sid],
    ['radeonsi-sid', 'OpenGL', sid], ['honeykrisp', 'Vulkan', new], ['asahi-gl', 'OpenGL', new],
    ['honeykrisp-sid', 'Vulkan', sid], ['asahi-gl-sid', 'OpenGL', sid], ['lavapipe-26', 'Vulkan', new],
    ['crocus', 'OpenGL', mine],
    ['crocus-25', 'OpenGL', old],
    ['crocus-26', 'OpenGL', new], ['iris', 'OpenGL', mine], ['iris-25', 'OpenGL', old], ['iris-26', 'OpenGL', new],
    ['hasvk', 'Vulkan', mine], ['hasvk-25', 'Vulkan', old], ['hasvk-26', 'Vulkan', new]], rows


def check_run(peers):
  make_peers(peers)
  check_list(peers)
  for driver, peer, own_libc in [('radv-25', 'mesa25', False), ('radeonsi-26', 'mesa26', True)]:
    done = run(peers, driver, 'env', LD_LIBRARY_PATH='/opt/x', AMD_DEBUG='')
    env = dict(line.split('=', 1) for line in done.stdout.splitlines() if '=' in line)
    root = f'{peers}/{peer}'
    assert done.returncode == 0 and env['INDIUM_GPU'] == 'navi21', done
    assert env['VK_DRIVER_FILES'] == env['VK_ICD_FILENAMES'] == f'{root}/usr/share/vulkan/icd.d/radeon_icd.json', env
    assert env['LIBGL_DRIVERS_PATH'] == f'{root}/{LIBRARIES}/dri', env
    assert env['GBM_BACKENDS_PATH'] == f'{root}/{LIBRARIES}/gbm', env
    assert env['DRIRC_CONFIGDIR'] == f'{root}/usr/share/drirc.d', env
    assert env['__EGL_VENDOR_LIBRARY_FILENAMES'] == f'{root}/usr/share/glvnd/egl_vendor.d/50_mesa.json', env
    assert 'nodcc' in env['RADV_DEBUG'] and env['AMD_DEBUG'] == '', 'what the user sets stays'
    # Children run on the system's C library, and may see only libraries that were built for it.
    libraries = env['LD_LIBRARY_PATH'].split(':')
    assert libraries[-1] == '/opt/x' and (f'{root}/{LIBRARIES}' in libraries) != own_libc, libraries
    started = os.path.basename(run(peers, driver, 'readlink', '/proc/self/exe').stdout.strip())
    assert started.startswith('ld-linux') == own_libc, started
    assert run(peers, driver, 'false').returncode == 0, "the release's own program comes first"
    assert run(peers, driver, '/bin/false').returncode == 1
    done = run(peers, driver, 'sh', '-c', 'echo "$0:$1:$2"; exit 7', 'a', '', 'b c')
    assert (done.returncode, done.stdout) == (7, 'a::b c\n'), done
    assert run(peers, driver, 'ls', '/dev/dri').stdout == 'renderD128\n', 'the shim is there'
    done = run(peers, driver, 'no-such-program')
    assert done.returncode == 2 and 'cannot run no-such-program: No such file' in done.stderr, done
    script = peers / 'script'
    write(script, '#!/bin/sh\nexit 9\n', 0o755)
    done = run(peers, driver, script)
    assert (done.returncode == 2 and 'is a script' in done.stderr) if own_libc else done.returncode == 9, done
  check_wrong(peers)


def check_wrong(peers):
  for driver, environment, words in [
      ('radv-26', {'INDIUM_GPU': 'navi99'}, ''), ('radv-27', {}, 'radv-26|radeonsi-26'), ('asahi-gl', {}, '')]:
    done = run(peers, driver, 'ls', '/dev/dri', **environment)
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and words in done.stderr, done
  done = run(peers, 'honeykrisp', 'env', INDIUM_MODE='noop')
  assert 'INDIUM_GPU=m1\n' in done.stdout and 'libindium_asahi_shim.so' in done.stdout, 'the chip is of its vendor'
  done = run(peers, 'honeykrisp', 'true', INDIUM_GPU='navi21')
  assert done.returncode == 2 and 'driver honeykrisp is not for navi21' in done.stderr, done
  (peers / f'mesa26/{LIBRARIES}/dri/radeonsi_dri.so').unlink()
  done = run(peers, 'radeonsi-26', 'true')
  assert done.returncode == 2 and 'cannot read' in done.stderr and 'radeonsi_dri.so' in done.stderr, done
  assert run(peers, 'radv-26', 'true').returncode == 0


def run_shim(peers, *arguments, **environment):
  unset = ('LD_PRELOAD', 'LD_LIBRARY_PATH', 'INDIUM_GPU', 'INDIUM_MODE', 'AMDGPU_GPU_ID')
  clean = {k: v for k, v in os.environ.items() if k not in unset}
  command = [sys.argv[1], 'run', '--shim', 'mesa', *arguments]
  return subprocess.run(command, capture_output=True, text=True, timeout=60,
                        env={**clean, 'INDIUM_PEERS': str(peers), **environment})


def check_shim(peers):
  """Mesa's drm-shims, by a stand-in: whose chips, who loads them, and what is refused."""
  done = run_shim(peers, '--', 'true')
  assert done.returncode == 77 and len(done.stderr.splitlines()) == 1 and not done.stdout, done
  assert 'bin/peers mesa-shim fetches it' in done.stderr, done
  make_peers(peers)
  place = peers / 'mesa-shim' / LIBRARIES
  place.mkdir(parents=True)
  for name in ('amdgpu', 'asahi'):
    shutil.copy('/lib/x86_64-linux-gnu/libutil.so.1', place / f'lib{name}_noop_drm_shim.so')
  (peers / 'mesa-shim/usr/lib64').mkdir()
  (peers / 'mesa-shim/usr/lib64/ld-linux-x86-64.so.2').symlink_to('/lib64/ld-linux-x86-64.so.2')
  amd = {chip: chip for chip in ('vega10', 'raven', 'renoir', 'navi10', 'navi21', 'vangogh', 'navi31')}
  for chip, name in {**amd, 'gfx1150': 'strix1', 'm1': None}.items():
    env = dict(line.split('=', 1) for line in run_shim(peers, '--gpu', chip, '--', 'env').stdout.splitlines())
    assert env.get('AMDGPU_GPU_ID') == name, (chip, env)
    assert 'LD_PRELOAD' not in env and 'LD_LIBRARY_PATH' not in env, env
    maps = run_shim(peers, '--gpu', chip, '--', 'cat', '/proc/self/maps').stdout
    assert f'{place}/lib{"amdgpu" if name else "asahi"}_noop_drm_shim.so' in maps and 'libindium' not in maps, maps
  assert 'AMDGPU_GPU_ID=navi21\n' in run_shim(peers, '--', 'env').stdout
  assert 'AMDGPU_GPU_ID=raven\n' in run_shim(peers, '--mode', 'noop', '--', 'env', INDIUM_GPU='raven').stdout
  assert 'libamdgpu_noop' in run_shim(peers, '--driver', 'radv-26', '--', 'cat', '/proc/self/maps').stdout
  check_shim_refusals(peers)


def check_shim_refusals(peers):
  record = peers / 'record'
  for arguments, words in [
      *((option, f'{name} is an option of this tree') for name, option in {
        '--mode model': ['--mode', 'model'], '--schedule': ['--schedule', 'worst'], '--races': ['--races'],
        '--budget': ['--budget', '9'], '--trace': ['--trace', record], '--record': ['--record', record],
        '--out-of-order': ['--out-of-order'], '--dump-state': ['--dump-state', record], '--report': ['--report'],
        '--card': ['--card'], '--wrap': ['--gpu', 'm1', '--wrap']}.items()),
      (['--gpu', 'phoenix'], 'no chip that is phoenix'), (['--gpu', 'm2'], 'no chip that is m2'),
      (['--gpu', 'skl'], 'no chip that is skl'), (['--driver', 'radv-25'], 'radv-25 is older than'),
      (['--shim', 'other'], 'not "other"')]:
    done = run_shim(peers, *arguments, '--', 'true')
    assert done.returncode == 2 and len(done.stderr.splitlines()) == 1 and words in done.stderr, (arguments, done)
  assert not record.exists()


def main():
  for check in (check_fetch, check_absent, lambda folder: check_run(folder / 'the peers'),
                lambda folder: check_shim(folder / 'the peers')):
    with tempfile.TemporaryDirectory() as folder:
      check(pathlib.Path(folder).resolve())
  print('fine')


if __name__ == '__main__':
  main()
