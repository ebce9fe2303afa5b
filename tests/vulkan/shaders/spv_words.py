"""spv_words.py IN.spv OUT.inc: the words of a module as text that C includes."""
import struct
import sys

with open(sys.argv[1], 'rb') as file:
  data = file.read()
words = struct.unpack(f'<{len(data) // 4}I', data)
with open(sys.argv[2], 'w', encoding='ascii') as file:
  for i in range(0, len(words), 8):
    file.write(''.join(f'0x{word:08x},' for word in words[i:i + 8]) + '\n')
