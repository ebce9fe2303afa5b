"""What a generator chooses once for a whole program, and which pairs of values of two choices occurred: choices.h for
generators in Python. Choices that cannot meet are left out of `now`, or named in `never`."""
import itertools
import random


def own(seed, number, name):
    """Random numbers of one choice of one program, which hang together with no other choice's."""
    return random.Random(f'{seed} {number} {name}')


class Pairs:
    def __init__(self, choices, never=()):
        """choices: values by name. never: pairs of (name, value) that cannot meet."""
        self.choices = choices
        self.never = {frozenset(pair) for pair in never}
        self.met = set()

    def count(self, now):
        for name, value in now.items():
            assert value in self.choices[name], f'{name} has no value {value}'
        self.met.update(frozenset(pair) for pair in itertools.combinations(now.items(), 2))

    def missing(self):
        """A line for each pair that no program had."""
        all_values = [[(name, value) for value in values] for name, values in self.choices.items()]
        pairs = (pair for a, b in itertools.combinations(all_values, 2) for pair in itertools.product(a, b))
        return [f'no program has {a[0]} {a[1]} with {b[0]} {b[1]}' for a, b in pairs
                if frozenset((a, b)) not in self.met | self.never]
