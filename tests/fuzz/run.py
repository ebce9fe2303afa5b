#!/usr/bin/python3
"""A short run of a fuzz target of libFuzzer, the same each time: run.py TARGET RUNS FILE..., which it starts from."""
import os
import sys

target, runs, *seeds = sys.argv[1:]
os.execv(target, [target, '-seed=1', f'-runs={runs}', '-timeout=60', '-max_len=16384', '-print_final_stats=1',
                  f'-artifact_prefix={target}.', f'-seed_inputs={",".join(seeds)}'])
