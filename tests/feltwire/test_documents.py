"""The documents of the wire say what the code says."""

from feltwire.describe import DOCS, documents


def test_documents_and_code_agree() -> None:
    for name, text in documents().items():
        assert (DOCS / name).read_text() == text, f"docs/{name} is old: run python -m feltwire.describe"
