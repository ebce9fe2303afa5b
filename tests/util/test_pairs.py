"""pairs.py: draws of one seed do not hang together, pairs are counted, and what is missing is told."""
from pairs import Pairs, own

CHOICES = {'one': (0, 1), 'two': (0, 1), 'three': ('a', 'b')}
NEVER = [(('one', 1), ('three', 'b'))]


def run(tied):
    pairs, often = Pairs(CHOICES, NEVER), {}
    for number in range(4000):
        now = {name: own(1, number, name).choice(values) for name, values in CHOICES.items()}
        if now['one'] == 1:
            now['three'] = 'a'
        if tied:  # as two bits of one number might be
            now['two'] = now['one']
        pairs.count(now)
        often[now['one'], now['two']] = often.get((now['one'], now['two']), 0) + 1
    return pairs.missing(), often


def main():
    missing, often = run(False)
    assert not missing, missing
    assert all(900 < n < 1100 for n in often.values()) and len(often) == 4, often
    missing, _ = run(True)
    assert missing == ['no program has one 0 with two 1', 'no program has one 1 with two 0',
                       'no program has two 1 with three b'], missing


if __name__ == '__main__':
    main()
