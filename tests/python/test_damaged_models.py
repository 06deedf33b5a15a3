"""Damaged model files end in an error of pegnn, and the interpreter goes on."""

import pickle
import random

import pegnn
import pytest

SMALL = dict(preset="paper", model="pe-gcn", steps=2, width=4, embedding=2, scales=2)


@pytest.fixture
def files(airports, tmp_path):
    table, found = airports.head(60), []
    for number, options in enumerate([SMALL, dict(model="idw"), dict(model="kriging")]):
        file = tmp_path / f"{number}.safetensors"
        pegnn.train(table, "elevation", **options).save(file)
        found.append(file.read_bytes())
    return found


def damaged(whole, rng):
    at = rng.randrange(len(whole)) if rng.random() < 0.5 else rng.randrange(1000)
    kind = rng.randrange(3)
    if kind == 0:
        return whole[:at]
    if kind == 1:
        return whole[:at] + bytes([whole[at] ^ 1 << rng.randrange(8)]) + whole[at + 1 :]
    return whole[:at] + whole[at : at + 40] + whole[at:]


def test_a_damaged_file_is_refused_by_name(files, tmp_path):
    rng = random.Random(2026)
    file = tmp_path / "damaged.safetensors"
    for attempt in range(150):
        file.write_bytes(damaged(files[attempt % 3], rng))
        with pytest.raises(pegnn.ModelError, match=r"damaged\.safetensors: .*(header|tensor '|meta)"):
            pegnn.load(file)


def test_a_damaged_pickle_is_refused_or_no_pickle(files, tmp_path):
    rng = random.Random(7)
    file = tmp_path / "whole.safetensors"
    for whole in files:
        file.write_bytes(whole)
        model = pegnn.load(file)
        pickled = pickle.dumps(model)
        at = pickled.find(whole[8:100]) - 8
        assert at > 0  # the bytes of the file stand in it as they are
        for _ in range(20):
            flipped = at + rng.randrange(len(whole))
            bad = pickled[:flipped] + bytes([pickled[flipped] ^ 1]) + pickled[flipped + 1 :]
            with pytest.raises(pegnn.ModelError):
                pickle.loads(bad)
