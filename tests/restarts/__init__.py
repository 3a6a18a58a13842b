"""Every door of a venue, then a restart (docs/survival.md).

    python -m tests.restarts --count 20000 --seed 1 --shard 1/2 --report restarts.json

Commands, presses, messages, keys and files whose types are right and whose values nobody means, as the documents
describe the doors. Behind each batch every process is killed, starts from its disk, is verified, is backed up and
starts from the backup. `tests.mutated` sends what no type allows; here what the doors take must be borne for ever.
"""
