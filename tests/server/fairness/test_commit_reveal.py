"""Commitments, seeds and ids."""

from hashlib import sha256

from cadogan.server.core import ids
from cadogan.server.core.fairness import commit_reveal


def test_a_commitment_is_the_hash_that_anyone_can_compute() -> None:
    secret = bytes(range(32))
    assert commit_reveal.commitment(secret) == sha256(b"cadogan/commitment/1\0" + secret).hexdigest()


def test_a_seed_depends_on_game_nonce_and_secret() -> None:
    seeds = {
        commit_reveal.seed("maze", "one", bytes(32)),
        commit_reveal.seed("olga", "one", bytes(32)),
        commit_reveal.seed("maze", "two", bytes(32)),
        commit_reveal.seed("maze", "one", bytes(31) + b"\1"),
    }
    assert len(seeds) == 4


def test_a_seed_is_the_hash_that_anyone_can_compute() -> None:
    expected = sha256(b"cadogan/seed/1\0maze\0ann\xc3\xa9\0" + bytes(32)).digest()
    assert commit_reveal.seed("maze", "anné", bytes(32)) == expected


def test_secrets_and_ids_are_never_drawn_twice() -> None:
    assert len({commit_reveal.draw_secret() for _ in range(100)}) == 100
    assert len({ids.new_id() for _ in range(100)}) == 100


def test_a_derived_id_is_the_same_for_the_same_key_and_parts_only() -> None:
    assert ids.derive_id(b"key", "day", "ann") == ids.derive_id(b"key", "day", "ann")
    assert ids.derive_id(b"key", "day", "ann") != ids.derive_id(b"other", "day", "ann")
    assert ids.derive_id(b"key", "day", "ann") != ids.derive_id(b"key", "daya", "nn")


def test_an_id_is_sixteen_lower_case_base32_characters() -> None:
    assert ids.is_valid(ids.new_id())
    assert ids.is_valid(ids.derive_id(b"key", "ann"))
    assert not any(map(ids.is_valid, ("", "A" * 16, "a" * 15, "a" * 17, "a" * 15 + "1", "a" * 15 + "\0")))
