from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
from synthetic import conllu

from laconic.corpus import Doc


def test_a_document_that_another_thread_writes_to_is_an_error_and_never_a_torn_one() -> None:
    doc = Doc.from_conllu(conllu(300, seed=1))
    codes, values = doc.codes("upos")
    forms = doc.strings("form")

    def use(number: int) -> str:
        try:
            if number % 3 == 2:
                doc.sentences[number % 300][0].xpos = "X"
                return "written"
            if number % 3:
                return f"{len(doc.codes('form')[1])} forms"
            doc.set_codes("xpos", codes.astype(np.int32), [f"{value}{number}" for value in values])
            return "written"
        except RuntimeError as error:
            return str(error)

    with ThreadPoolExecutor(6) as pool:
        seen = set(pool.map(use, range(600)))
    assert {"written", f"{len(set(forms))} forms"} <= seen
    assert all("another thread" in one for one in seen - {"written", f"{len(set(forms))} forms"})
    assert doc.strings("form") == forms


def test_many_threads_read_one_document() -> None:
    doc = Doc.from_conllu(conllu(200, seed=2))
    expected = doc.to_conllu()
    with ThreadPoolExecutor(4) as pool:
        assert set(pool.map(lambda _: doc.to_conllu(), range(40))) == {expected}
