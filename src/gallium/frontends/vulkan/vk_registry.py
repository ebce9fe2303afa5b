"""What the driver offers (vk_device_table.txt), checked against the registry (vk.xml)."""
import collections
import re
import sys
import xml.etree.ElementTree as ElementTree

FEATURES, PROPERTIES = 'VkPhysicalDeviceFeatures2', 'VkPhysicalDeviceProperties2'
# Structs of extensions whose features are those of a newer extension.
SAME_FEATURES = {'VkPhysicalDeviceBufferDeviceAddressFeaturesEXT'}
# What such a struct has under the same name and is not the same: there the application says where a buffer is.
OWN_FEATURES = {('VkPhysicalDeviceBufferDeviceAddressFeaturesEXT', 'bufferDeviceAddressCaptureReplay')}
WORDS = {'version', 'instance', 'device', 'feature', 'property', 'properties'}
# Properties that have another name in the struct of a whole version.
RENAMED = {'subgroupSupportedStages': 'supportedStages', 'subgroupSupportedOperations': 'supportedOperations',
           'subgroupQuadOperationsInAllStages': 'quadOperationsInAllStages'}

# value: '' if the row has none. owner: the row of the version or extension above.
Row = collections.namedtuple('Row', 'word name value owner')
Member = collections.namedtuple('Member', 'name type array')
# s_type: '' of a struct that is part of another.
Struct = collections.namedtuple('Struct', 'name s_type members')


def words(text):
  return (text or '').split(',')


def extension_enum(name):
  return name.upper().replace('VK_', 'INDIUM_EXT_', 1)


def number(version):
  return tuple(map(int, version.split('.')))


def effective(row):
  """The expression of a feature's row: its own, or its extension's."""
  return row.value or (row.owner.value if row.owner.word == 'device' else '')


def stop(message):
  sys.exit(f'vk_device_table.txt: {message}')


def read_table(path):
  rows, owner = [], None
  with open(path) as table:
    for line in table:
      line = line.split('#')[0].strip()
      if not line:
        continue
      word, _, rest = line.partition(' ')
      if word not in WORDS:
        rows[-1] = rows[-1]._replace(value=f'{rows[-1].value} {line}'.strip())
        continue
      name, _, value = (part.strip() for part in rest.partition('='))
      row = Row(word, name, value, owner)
      if word in ('version', 'instance', 'device'):
        owner = row = row._replace(owner=None)
      rows.append(row)
  # The last line of an extension may continue: owners as they are in the end.
  whole = {row.name: row for row in rows if not row.owner}
  return [row._replace(owner=row.owner and whole[row.owner.name]) for row in rows]


class Registry:
  def __init__(self, table, xml):
    self.root = ElementTree.parse(xml).getroot()
    self.rows = read_table(table)
    self.versions = [row for row in self.rows if row.word == 'version']
    self.instance_extensions = [row.name for row in self.rows if row.word == 'instance']
    self.device_extensions = [row.name for row in self.rows if row.word == 'device']
    self.extensions = {e.get('name'): e for e in self.root.findall('extensions/extension')}
    self.types = {t.get('name') or t.findtext('name'): t for t in self.root.findall('types/type')}
    self.check_extensions()

  def version(self, value):
    """The version that every device reports that has one with this value in its row."""
    return max(number(row.name) for row in self.versions if row.value in ('', *value.split(' && ')))

  def offered(self, value):
    """Extensions that every device has that has one with this value in its row."""
    return {row.name for row in self.rows if row.word in ('instance', 'device') and
            row.value in ('', value, *value.split(' && '))}

  def satisfied(self, depends, extensions, version, features=None):
    """Whether these extensions, version and features are what an expression of the registry asks for: names with
    `+` (and) and `,` (or). Without features, what depends on one, `STRUCT::NAME`, counts as there."""
    def term(name):
      core = re.fullmatch(r'VK_VERSION_(\d+)_(\d+)', name)
      if core:
        return tuple(map(int, core.groups())) <= version
      if '::' in name:
        return features is None or name.partition('::')[2] in features
      return name in extensions

    expression = re.sub(r'[\w:]+', lambda name: str(term(name[0])), depends or 'VK_VERSION_1_0')
    return eval(expression.replace('+', ' and ').replace(',', ' or '), {'__builtins__': {}})

  def check_extensions(self):
    for row in self.rows:
      if row.word not in ('instance', 'device'):
        continue
      extension = self.extensions.get(row.name)
      if extension is None or 'vulkan' not in words(extension.get('supported')):
        stop(f'the registry has no {row.name}')
      if extension.get('type') != row.word:
        stop(f'{row.name} is of the {extension.get("type")}')
      if not self.satisfied(extension.get('depends'), self.offered(row.value), self.version(row.value)):
        stop(f'{row.name} depends on {extension.get("depends")}')

  def requires(self, name):
    """What is required by an extension, or by a version and those before it."""
    if name in self.extensions:
      owners = [self.extensions[name]]
    else:
      owners = self.cores(number(name))
    extensions = set(self.instance_extensions + self.device_extensions)
    return [r for owner in owners for r in owner.findall('require')
            if self.satisfied(r.get('depends'), extensions, number(self.versions[-1].name))]

  def cores(self, version):
    """The registry's elements of a version and those before it."""
    return [f for f in self.root.findall('feature')
            if 'vulkan' in words(f.get('api')) and number(f.get('number')) <= version]

  def formats(self):
    """Values of the formats that the offered extensions and versions after 1.0 add."""
    values, aliases = {}, {}
    for owner in self.root.findall('feature') + list(self.extensions.values()):
      for enum in owner.iterfind("require/enum[@extends='VkFormat']"):
        aliases[enum.get('name')] = enum.get('alias') or enum.get('name')
        if enum.get('offset'):
          number = int(enum.get('extnumber') or owner.get('number'))
          values[enum.get('name')] = 1000000000 + (number - 1) * 1000 + int(enum.get('offset'))
    return sorted({values[aliases[enum.get('name')]] for row in self.rows if not row.owner
                   for require in self.requires(row.name) for enum in require.findall("enum[@extends='VkFormat']")})

  def original(self, name):
    while self.types[name].get('alias'):
      name = self.types[name].get('alias')
    return name

  def struct(self, name):
    element = self.types[self.original(name)]
    members = []
    for member in element.findall('member'):
      if 'vulkan' in words(member.get('api') or 'vulkan'):
        text = ''.join(t for t in member.itertext())
        array = '[' in text.split(member.findtext('name'), 1)[1]
        members.append(Member(member.findtext('name'), member.findtext('type'), array))
    s_type = element.find('member').get('values') or ''
    return Struct(element.get('name'), s_type, members[2:] if s_type else members)

  def structs(self, extends, names=None):
    """Structs that extend a struct, and that struct, of the offered versions and extensions or of the named ones."""
    names = names or [row.name for row in self.rows if not row.owner]
    found = {extends: self.struct(extends)} if any(re.match(r'\d', name) for name in names) else {}
    for name in names:
      for require in self.requires(name):
        for type_ in require.findall('type'):
          if type_.get('name') in self.types:
            original = self.original(type_.get('name'))
            if extends in words(self.types[original].get('structextends')):
              found[original] = self.struct(original)
    return list(found.values())

  def feature_names(self, struct):
    if struct.name == FEATURES:
      struct = self.struct('VkPhysicalDeviceFeatures')
    return [member.name + 'EXT' * ((struct.name, member.name) in OWN_FEATURES) for member in struct.members]

  def rows_of(self, word, known):
    """name -> row; stops at a row whose version or extension has no such name. known(owner) -> names"""
    names, found = {}, {}
    for row in self.rows:
      if row.word == word:
        owner = row.owner.name
        names.setdefault(owner, known(owner))
        if row.name not in names[owner]:
          stop(f'{owner} has no {word} {row.name}')
        if row.name in found:
          stop(f'{word} {row.name} has two rows')
        found[row.name] = row
    return found

  def features(self):
    """name -> row, of every feature in the structs of what is offered; None: not supported."""
    def known(owner):
      return {name for struct in self.structs(FEATURES, [owner]) for name in self.feature_names(struct)}

    rows = self.rows_of('feature', known)
    self.check_required_features(rows)
    for version in self.versions:
      if version.value != 'false':
        self.check_version(version, rows)
    self.check_shared_features()
    return {name: rows.get(name) for struct in self.structs(FEATURES) for name in self.feature_names(struct)}

  def check_required_features(self, rows):
    """A device with an extension has certain features, or one of several."""
    for extension in self.rows:
      if extension.word != 'device':
        continue
      always = ['', extension.value, *extension.value.split(' || '), *extension.value.split(' && ')]
      for require in self.requires(extension.name):
        for feature in require.findall('feature'):
          names = words(feature.get('name'))
          if '::' not in (require.get('depends') or '') and not any(
              name in rows and effective(rows[name]) in always for name in names):
            stop(f'{extension.name} comes with {" or ".join(names)}: no row says so')

  def check_version(self, version, rows):
    """A device that reports a version has all features that this version and those before it require, and their
    extensions. An extension is optional if a feature says whether it is there."""
    always = ('', version.value, *version.value.split(' && '))
    for earlier in self.versions[:self.versions.index(version)]:
      if earlier.value not in always:
        stop(f'some devices with Vulkan {version.name} have no Vulkan {earlier.name}')
    has = {name for name, row in rows.items() if effective(row) in always}
    offered = self.offered(version.value)
    for core in self.cores(number(version.name)):
      optional = set()
      for require in core.findall('require'):
        depends, features = require.get('depends'), [f.get('name') for f in require.findall('feature')]
        optional |= set(re.split(r'[+,()]', depends or '')) if features else set()
        if self.satisfied(depends, offered, number(version.name), has):
          for names in features:
            if not any(name in has for name in words(names)):
              stop(f'Vulkan {version.name} requires {names}')
      for name, extension in self.extensions.items():
        if extension.get('promotedto') == core.get('name') and 'vulkan' in words(extension.get('supported')) and \
            name not in offered | optional and not self.structs(FEATURES, [name]):
          stop(f'Vulkan {version.name} has {name}')

  def check_shared_features(self):
    """One name is one feature in the struct of an extension and in that of a version; two extensions that use a name
    need a decision."""
    seen = {}
    for struct in self.structs(FEATURES):
      if re.fullmatch(r'VkPhysicalDeviceVulkan\d+Features', struct.name) or struct.name in SAME_FEATURES:
        continue
      for name in self.feature_names(struct):
        if seen.setdefault(name, struct.name) != struct.name:
          stop(f'{seen[name]} and {struct.name} both have {name}: are they one feature?')
