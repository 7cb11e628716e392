"""The TypeScript types for the web client, compared with the wire contract."""

import re
from pathlib import Path

import msgspec

from cadogan.wire import typescript
from cadogan.wire.codec import encode
from cadogan.wire.examples import BODY_EXAMPLES, CLIENT_EXAMPLES, SERVER_EXAMPLES

DECLARED = Path(typescript.__file__).with_name("wire.d.ts").read_text("utf-8")


def test_the_file_of_types_is_up_to_date() -> None:
    assert typescript.typescript() == DECLARED, "Run `python -m cadogan.wire.typescript > clients/wire/wire.d.ts`."


def test_every_example_has_only_declared_keys_and_all_required_ones() -> None:
    for shown in (*CLIENT_EXAMPLES, *SERVER_EXAMPLES, *BODY_EXAMPLES):
        name = type(shown).__name__
        block = re.search(rf"export interface {name} {{\n(.*?)\n}}", DECLARED, re.DOTALL)
        assert block, name
        keys = dict(re.findall(r"^  (\w+)(\??):", block[1], re.MULTILINE))
        there = set(msgspec.json.decode(encode(shown)))
        assert there <= set(keys), name
        assert {key for key, optional in keys.items() if not optional} <= there, name
