#!/usr/bin/python3
"""bin/headers with stand-ins for apt and pkg-config."""
import os
import pathlib
import subprocess
import tempfile

from test_peers import APT, ROOT, codename, package, write

# $SYSTEM is the version of the system's headers, $PROTOCOLS that of its wayland-protocols; none if it is empty.
PKG_CONFIG = r"""#!/bin/sh
[ "$SYSTEM" ] || exit 1
[ "$2" != wayland-protocols ] || SYSTEM=$PROTOCOLS
case "$1" in
--modversion) echo "$SYSTEM" ;;
--variable=prefix) echo /system ;;
--atleast-version=*) [ "$(printf '%s\n' "$SYSTEM" "${1#*=}" | sort -V | head -n1)" = "${1#*=}" ] ;;
esac
"""
KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg'
REGISTRY = 'usr/share/vulkan/registry/vk.xml'
PROTOCOL = 'usr/share/wayland-protocols/stable/x/x.xml'
CORE = 'usr/include/vulkan/vulkan_core.h'


class Machine:
  def __init__(self, folder):
    self.archive, self.headers = folder / 'archive', folder / 'some cache/headers'
    write(folder / 'path/apt-get', APT, 0o755)
    write(folder / 'path/pkg-config', PKG_CONFIG, 0o755)
    write(self.archive / 'reached', 'http://mirror.invalid')
    self.environment = {**os.environ, 'PATH': f'{folder / "path"}:{os.environ["PATH"]}', 'ARCHIVE': str(self.archive),
                        'CODENAME': codename(), 'INDIUM_HEADERS': str(self.headers), 'SYSTEM': '1.3.239',
                        'PROTOCOLS': '1.45'}
    self.release('1.4.363.0-1')

  def release(self, version, protocols='1.49-1'):
    package(self.archive, 'libvulkan-dev', version, [CORE, REGISTRY])
    package(self.archive, 'spirv-headers', '1:1.6', ['usr/include/spirv/unified1/spirv.h', 'usr/share/doc/x/README'])
    package(self.archive, 'wayland-protocols', protocols, [PROTOCOL])

  def run(self, *arguments, status=0, says='', **environment):
    done = subprocess.run([ROOT / 'bin/headers', *arguments], env={**self.environment, **environment},
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == status and says in done.stderr, (arguments, done)
    assert len(done.stderr.splitlines()) == (says != ''), done
    assert not self.headers.with_name('headers.work').exists(), 'what is only for fetching goes away'
    return done.stdout.strip()

  def asked(self):
    log = self.archive / 'log'
    lines = log.read_text().splitlines() if log.exists() else []
    log.unlink(missing_ok=True)
    return lines


def main():
  with tempfile.TemporaryDirectory() as folder:
    machine = Machine(pathlib.Path(folder))
    machine.run('--what', status=2, says='it takes --folder, not')
    for system, said in (('1.3.239', '1.3.239'), ('', 'none')):
      machine.run('--folder', status=1, SYSTEM=system, says='headers of Vulkan 1.4.363 or newer are missing '
                  f'(system: {said}; {machine.headers}: none): run bin/setup')
    # The system's are used where they are new enough, and nothing is fetched.
    machine.run('--folder', status=1, SYSTEM='1.4.370', PROTOCOLS='1.31', says='are missing (system: 1.4.370;')
    for system in ('1.4.363', '1.4.370'):
      assert machine.run(SYSTEM=system) == '' and machine.run('--folder', SYSTEM=system) == '/system'
    # What goes wrong leaves nothing.
    write(machine.archive / 'reached', 'http://nowhere.invalid')
    machine.run(status=1, says='bin/headers: headers: no list of packages: E: no way to the archive')
    write(machine.archive / 'reached', 'http://mirror.invalid')
    (machine.archive / 'broken').touch()
    machine.run(status=1, says='bin/headers: headers: E: hash sum mismatch')
    (machine.archive / 'broken').unlink()
    machine.release('1.4.304.0-1')
    machine.run(status=1, says='forky has Vulkan 1.4.304.0-1, which is older than 1.4.363')
    machine.release('1.4.363.0-1', protocols='1.31-1')
    machine.run(status=1, says='forky has wayland-protocols 1.31-1, which are older than 1.45')
    assert not machine.headers.exists()
    machine.release('1.4.363.0-1')
    machine.asked()
    machine.run(says='headers: fetched 1.4.363.0-1')
    assert machine.asked() == [f'deb [signed-by={KEYRING}] http://mirror.invalid/debian/ forky main']
    files = {str(path.relative_to(machine.headers)) for path in machine.headers.rglob('*') if path.is_file()}
    assert files == {'versions', CORE, REGISTRY, PROTOCOL, 'usr/include/spirv/unified1/spirv.h'}, files
    # What is there needs no network, and gives way to newer ones of the system.
    assert machine.run() == '' and machine.run('--folder') == f'{machine.headers}/usr'
    assert machine.run('--folder', SYSTEM='1.4.370') == '/system' and not machine.asked()


if __name__ == '__main__':
  main()
