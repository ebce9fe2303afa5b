#!/usr/bin/python3
"""rows.py AXES FILE: the rows of a table, each expanded to every combination of the words that its axes list.

A row has fields between |. AXES is a character for each axis: the fields after the first are lists of words, one for
each axis, and the character stands for the word in the other fields. `NAME = WORDS` defines $NAME or adds to it.
Lines that begin with # are comments. A word on an axis may be marked with + or -.

Prints a line for each combination: the mark and the fields, between tabs. The mark is - if a word has it; + if all
words of the combination have it; otherwise a dot."""
import itertools
import pathlib
import re
import sys


def expand(axes, path):
    lists = {}
    for number, line in enumerate(pathlib.Path(path).read_text().splitlines(), 1):
        if not line or line.startswith('#'):
            continue
        definition = re.fullmatch(r'(\w+) = (.*)', line)
        if definition:
            lists[definition[1]] = (lists.get(definition[1], '') + ' ' + definition[2]).strip()
            continue
        for name in re.findall(r'\$(\w+)', line):
            if name not in lists:
                sys.exit(f'{path}:{number}: ${name} is not defined')
        fields = [re.sub(r'\$(\w+)', lambda m: lists[m[1]], field).strip() for field in line.split('|')]
        if len(fields) < 2 + len(axes):
            sys.exit(f'{path}:{number}: {len(fields)} fields')
        words = [field.split() or [''] for field in fields[1:1 + len(axes)]]
        for choice in itertools.product(*words):
            marks = {word[-1] if word[-1] in '+-' else '' for word in choice if word}
            plain = [word.rstrip('+-') for word in choice]
            row = [fields[0], *plain, *fields[1 + len(axes):]]
            for axis, word in zip(axes, plain):
                row = [field.replace(axis, word) for field in row]
            yield '-' if '-' in marks else '+' if marks == {'+'} else '.', *row


for row in expand(*sys.argv[1:]):
    print('\t'.join(row))
