"""spv_words.py IN.spv OUT.inc: the words of a module as text that C includes."""
import os
import struct
import subprocess
import sys
import tempfile


def c_words(data):
    """The words of a module, eight a line."""
    words = struct.unpack(f'<{len(data) // 4}I', data)
    return ''.join(''.join(f'0x{word:08x},' for word in words[i:i + 8]) + '\n' for i in range(0, len(words), 8))


def add_options(parser):
    """What assemble() needs of the command line."""
    parser.add_argument('output')
    parser.add_argument('--spirv-as', required=True)
    parser.add_argument('--spirv-val', required=True)


def assemble(options, text, name, table):
    """Assembles and validates text. An output of .spv gets the module, any other C: the array code_NAME and table."""
    with tempfile.TemporaryDirectory() as folder:
        source, module = os.path.join(folder, 'text.spvasm'), os.path.join(folder, 'module.spv')
        with open(source, 'w', encoding='ascii') as file:
            file.write(text)
        subprocess.run([options.spirv_as, '--target-env', 'spv1.3', source, '-o', module], check=True)
        subprocess.run([options.spirv_val, '--target-env', 'vulkan1.1', module], check=True)
        with open(module, 'rb') as file:
            data = file.read()
    if not options.output.endswith('.spv'):
        data = f'static const uint32_t code_{name}[] = {{\n{c_words(data)}}};\n{table}\n'.encode('ascii')
    with open(options.output, 'wb') as file:
        file.write(data)


if __name__ == '__main__':
    with open(sys.argv[1], 'rb') as module_file:
        module_text = c_words(module_file.read())
    with open(sys.argv[2], 'w', encoding='ascii') as text_file:
        text_file.write(module_text)
