#!/usr/bin/env python3
"""Make engram_token_map.safetensors from a model's tokenizer.json.

  make_token_map.py <tokenizer.json> <model folder>

Engram hashes classes of tokens: tokens whose text is equal after normalisation share a compressed id.
The text of a token is what decoding it alone gives; where that is no valid text (it contains U+FFFD) the
token's entry in the vocabulary stands for it. Ids are numbered in the order in which classes first occur.

Needs the Python package `tokenizers`: its Unicode tables are the ones the model was trained with.
"""

import hashlib
import json
import os
import re
import struct
import sys

# SHA-256 of the released model's map as little-endian int32, and its vocabulary size.
RELEASED = (129280, "c60a86322ec17b4142bfef3c57a8d81fb428550cdf487f88a4320cb59fe46481")


def unicode_normalizer():
    from tokenizers import normalizers as n

    return n.Sequence([n.NFKC(), n.NFD(), n.StripAccents(), n.Lowercase()])


def class_of(text, raw, normalizer):
    """The key under which a token's class is counted."""
    if "\ufffd" in text:
        return raw
    key = re.sub(r"[ \t\r\n]+", " ", normalizer.normalize_str(text))
    if key != " ":
        key = key.strip()
    return key or text


def token_map(tokenizer, vocab):
    normalizer = unicode_normalizer()
    ids, result = {}, []
    for token in range(vocab):
        text = tokenizer.decode([token], skip_special_tokens=False)
        raw = tokenizer.id_to_token(token)
        # Ids above the tokenizer's own (padding of the embedding table) are classes of their own.
        key = class_of(text, raw, normalizer) if raw is not None else (token,)
        result.append(ids.setdefault(key, len(ids)))
    return result, len(ids)


def write(path, values):
    data = struct.pack("<%di" % len(values), *values)
    header = {"token_map": {"dtype": "I32", "shape": [len(values)], "data_offsets": [0, len(data)]}}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    partial = path + ".partial"
    with open(partial, "wb") as out:
        out.write(struct.pack("<Q", len(text)) + text + data)
    os.replace(partial, path)
    return hashlib.sha256(data).hexdigest()


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    from tokenizers import Tokenizer

    tokenizer_path, folder = sys.argv[1:]
    with open(os.path.join(folder, "config.json")) as file:
        config = json.load(file)
    text = config.get("text_config") or config
    values, classes = token_map(Tokenizer.from_file(tokenizer_path), text["vocab_size"])
    if classes != text["engram_compressed_vocab_size"]:
        sys.exit(
            "%s: expected %d classes of tokens (engram_compressed_vocab_size), got %d"
            % (tokenizer_path, text["engram_compressed_vocab_size"], classes)
        )
    digest = write(os.path.join(folder, "engram_token_map.safetensors"), values)
    print("engram_token_map.safetensors: %d tokens, %d classes, sha256 %s" % (len(values), classes, digest))
    if len(values) == RELEASED[0] and digest != RELEASED[1]:
        print("warning: the released model's map has sha256 " + RELEASED[1])


if __name__ == "__main__":
    main()
