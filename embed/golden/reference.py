"""The golden vectors: all-MiniLM-L6-v2 in numpy float64, straight from its files.

    python reference.py MODEL_FOLDER

reads texts.json and writes windows.tsv (a line a window: text, first token, tokens) and
vectors.npy (f32, a row a window, in the same order). Everything is written out here, tokenizer
included, so that nothing is shared with what it checks but the model's files.

Sources: Devlin et al. 2019 and its code (BasicTokenizer, WordpieceTokenizer, the encoder);
Reimers and Gurevych 2019 (mean pooling).
"""

import json
import math
import pathlib
import struct
import sys
import unicodedata

import numpy as np

HERE = pathlib.Path(__file__).parent
WINDOW_CONTENT = 254
WINDOW_STEP = 190
WORD_CHARS_MAX = 100
SPECIAL_TOKENS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


# --- Tokens -------------------------------------------------------------------------------------


def is_control(char):
    return char not in "\t\n\r" and unicodedata.category(char) in ("Cc", "Cf", "Cn", "Co")


def is_chinese(char):
    code = ord(char)
    return any(
        low <= code <= high
        for low, high in (
            (0x4E00, 0x9FFF), (0x3400, 0x4DBF), (0x20000, 0x2A6DF), (0x2A700, 0x2B73F),
            (0x2B740, 0x2B81F), (0x2B920, 0x2CEAF), (0xF900, 0xFAFF), (0x2F800, 0x2FA1F),
        )
    )


def is_punctuation(char):
    code = ord(char)
    ascii_punctuation = 33 <= code <= 47 or 58 <= code <= 64 or 91 <= code <= 96 or 123 <= code <= 126
    return ascii_punctuation or unicodedata.category(char).startswith("P")


def words(text):
    """Cleaned, lower-cased, without accents; split at spaces and around punctuation."""
    kept = "".join(
        " " if char.isspace() else char
        for char in text
        if not (ord(char) in (0, 0xFFFD) or is_control(char))
    )
    spaced = "".join(f" {char} " if is_chinese(char) else char for char in kept)
    # Lower case letter by letter, as the model's own (Rust) tokenizer does it: a sigma that ends a
    # word becomes the common one.
    plain = "".join(
        char.lower()
        for char in unicodedata.normalize("NFD", spaced)
        if unicodedata.category(char) != "Mn"
    )
    for chunk in plain.split():
        word = ""
        for char in chunk:
            if is_punctuation(char):
                if word:
                    yield word
                yield char
                word = ""
            else:
                word += char
        if word:
            yield word


def pieces(word, vocabulary):
    """Greedy longest match from the left."""
    if len(word) > WORD_CHARS_MAX:
        return [vocabulary["[UNK]"]]
    found, start = [], 0
    while start < len(word):
        for end in range(len(word), start, -1):
            piece = ("##" if start else "") + word[start:end]
            if piece in vocabulary:
                found.append(vocabulary[piece])
                start = end
                break
        else:
            return [vocabulary["[UNK]"]]
    return found


def tokens(text, vocabulary):
    """The text's tokens; a special token's name in the text is that token."""
    for special in SPECIAL_TOKENS:
        before, name, behind = text.partition(special)
        if name:
            return tokens(before, vocabulary) + [vocabulary[special]] + tokens(behind, vocabulary)
    return [piece for word in words(text) for piece in pieces(word, vocabulary)]


def windows(n_tokens):
    start = 0
    while True:
        end = min(n_tokens, start + WINDOW_CONTENT)
        yield start, end
        if end == n_tokens:
            return
        start += WINDOW_STEP


# --- Model --------------------------------------------------------------------------------------


def read_weights(path):
    raw = path.read_bytes()
    (header_len,) = struct.unpack_from("<Q", raw)
    header = json.loads(raw[8 : 8 + header_len])
    weights = {}
    for name, entry in header.items():
        if name != "__metadata__" and entry["dtype"] == "F32":
            low, high = (8 + header_len + offset for offset in entry["data_offsets"])
            array = np.frombuffer(raw[low:high], dtype="<f4").reshape(entry["shape"])
            weights[name] = array.astype(np.float64)
    return weights


def linear(x, weights, name):
    return x @ weights[f"{name}.weight"].T + weights[f"{name}.bias"]


def layer_norm(x, weights, name, eps):
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + eps) * weights[f"{name}.weight"] + weights[f"{name}.bias"]


def gelu(x):
    erf = np.fromiter(map(math.erf, (x / math.sqrt(2)).flat), np.float64, x.size)
    return x * 0.5 * (1 + erf.reshape(x.shape))


def softmax(x):
    exp = np.exp(x - x.max(axis=-1, keepdims=True))
    return exp / exp.sum(axis=-1, keepdims=True)


def embed(ids, weights, config):
    """The unit vector of one window's tokens, [CLS] and [SEP] included."""
    eps, n_heads = config["layer_norm_eps"], config["num_attention_heads"]
    x = (
        weights["embeddings.word_embeddings.weight"][ids]
        + weights["embeddings.position_embeddings.weight"][: len(ids)]
        + weights["embeddings.token_type_embeddings.weight"][0]
    )
    x = layer_norm(x, weights, "embeddings.LayerNorm", eps)
    for layer_idx in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{layer_idx}"
        # [n_heads, n_tokens, head_len]
        query, key, value = (
            linear(x, weights, f"{layer}.attention.self.{part}")
            .reshape(len(ids), n_heads, -1)
            .transpose(1, 0, 2)
            for part in ("query", "key", "value")
        )
        scores = query @ key.transpose(0, 2, 1) / math.sqrt(query.shape[-1])
        context = (softmax(scores) @ value).transpose(1, 0, 2).reshape(len(ids), -1)
        attended = linear(context, weights, f"{layer}.attention.output.dense")
        x = layer_norm(x + attended, weights, f"{layer}.attention.output.LayerNorm", eps)
        inner = gelu(linear(x, weights, f"{layer}.intermediate.dense"))
        outer = linear(inner, weights, f"{layer}.output.dense")
        x = layer_norm(x + outer, weights, f"{layer}.output.LayerNorm", eps)
    mean = x.mean(axis=0)
    return mean / np.linalg.norm(mean)


def main():
    folder = pathlib.Path(sys.argv[1])
    config = json.loads((folder / "config.json").read_text())
    vocabulary = json.loads((folder / "tokenizer.json").read_text())["model"]["vocab"]
    weights = read_weights(folder / "model.safetensors")
    texts = json.loads((HERE / "texts.json").read_text(encoding="utf-8"))
    lines, vectors = ["text\ttoken_start\ttoken_count"], []
    for text_idx, entry in enumerate(texts):
        ids = tokens(entry["text"], vocabulary)
        for start, end in windows(len(ids)):
            window = [vocabulary["[CLS]"], *ids[start:end], vocabulary["[SEP]"]]
            lines.append(f"{text_idx}\t{start}\t{end - start}")
            vectors.append(embed(window, weights, config))
    (HERE / "windows.tsv").write_text("\n".join(lines) + "\n")
    np.save(HERE / "vectors.npy", np.array(vectors, dtype="<f4"))


if __name__ == "__main__":
    main()
