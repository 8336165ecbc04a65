"""A tiny random encoder in the layout of Hugging Face, made on the spot: its pieces are the letters and some endings of
the words at hand."""

from __future__ import annotations

import json
from pathlib import Path

from laconic.corpus import Doc

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def build(folder: Path, doc: Doc, *, positions: int = 64, hidden: int = 32, layers: int = 2, seed: int = 1) -> Path:
    """Pieces of the words of a document, two layers, a few hundred kilobytes."""
    import torch
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
    from transformers import BertConfig, BertModel

    folder.mkdir(parents=True, exist_ok=True)
    forms = [form.lower() for form in doc.codes("form")[1]]
    pieces = sorted({c for form in forms for c in form} | {f"##{form[i:]}" for form in forms for i in (-1, -2, -3)})
    pieces = [
        *SPECIAL,
        *pieces,
        *(f"##{c}" for c in sorted({c for form in forms for c in form}) if f"##{c}" not in pieces),
    ]
    vocabulary = {piece: number for number, piece in enumerate(dict.fromkeys(one for one in pieces if one != "##"))}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]", max_input_chars_per_word=100))
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    marks = [(name, vocabulary[name]) for name in ("[CLS]", "[SEP]")]
    tokenizer.post_processor = processors.TemplateProcessing(single="[CLS] $A [SEP]", special_tokens=marks)
    tokenizer.save(str(folder / "tokenizer.json"))
    said = {"tokenizer_class": "BertTokenizer", "unk_token": "[UNK]", "pad_token": "[PAD]", "cls_token": "[CLS]"}
    said |= {"sep_token": "[SEP]", "mask_token": "[MASK]", "model_max_length": positions}  # type: ignore[dict-item]
    (folder / "tokenizer_config.json").write_text(json.dumps(said))
    torch.manual_seed(seed)
    config = BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=hidden,
        num_hidden_layers=layers,
        num_attention_heads=2,
        intermediate_size=2 * hidden,
        max_position_embeddings=positions,
    )
    BertModel(config).save_pretrained(folder)
    return folder
