from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from synthetic import conllu

from laconic.corpus import Doc


def test_a_document_that_another_thread_writes_to_is_an_error_and_never_a_torn_one() -> None:
    doc = Doc.from_conllu(conllu(300, seed=1))
    codes, values = doc.codes("upos")
    forms = doc.strings("form")

    def use(number: int) -> bool:
        try:
            if number % 3:
                return doc.codes("form")[1] is not None and len(doc.to_conllu()) > 0
            doc.set_codes("xpos", codes.astype(np.int32), [f"{value}{number}" for value in values])
            return True
        except RuntimeError as error:
            assert "another thread" in str(error)
            return False

    with ThreadPoolExecutor(6) as pool:
        done = list(pool.map(use, range(600)))
    assert any(done)
    assert doc.strings("form") == forms


def test_many_threads_read_one_document() -> None:
    doc = Doc.from_conllu(conllu(200, seed=2))
    expected = doc.to_conllu()
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: doc.to_conllu(), range(40))) == {expected}
