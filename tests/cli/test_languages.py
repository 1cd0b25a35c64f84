"""Stop words of several languages, and scripts without spaces."""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
import re
import warnings

import pytest
from sklearn.feature_extraction.text import ENGLISH_STOP_WORDS, CountVectorizer

from sklearn_kernelclust._cli import main
from sklearn_kernelclust._cli._arguments import parse
from sklearn_kernelclust._cli._languages import (
    BIGRAMS,
    WORDS,
    other_language,
    stop_word_lists,
    stop_words,
    token_pattern,
)
from sklearn_kernelclust._cli._reading import BadInputError

SENTENCES = {
    "english": ("The team won the match with a goal that was late", "the of and"),
    "french": ("L'équipe de Lyon a gagné le match avec un but dans les", "au qu dès"),
    "german": ("Die Mannschaft hat das Spiel mit einem Tor für sich", "über daß"),
    "spanish": ("El equipo ganó el partido con un gol en los últimos", "más según"),
    "italian": ("La squadra ha vinto la partita con un gol che per il", "perché è"),
    "portuguese": ("A equipe venceu o jogo com um gol que não foi para", "não às"),
    "dutch": ("De ploeg won de wedstrijd met een doelpunt van het", "niet zoals"),
}

FRENCH = (
    "Le joueur de l'équipe a marqué un but dans le match et la coupe est à nous",
    "La banque a relevé le taux et les actions de la bourse sont en baisse",
)
CHINESE = ("球队在比赛中进球赢得了冠军", "银行提高利率股票市场下跌")
JAPANESE = (
    "サッカーの試合で選手がゴールを決めた",
    "銀行が金利を引き上げて株価が下がった",
)


@pytest.mark.parametrize("language", SENTENCES)
def test_each_list_is_of_its_language(language):
    sentence, some = SENTENCES[language]
    lists = stop_word_lists()
    assert set(some.split()) - {"è"} <= lists[language]
    other = "german" if language == "english" else "english"
    assert other_language([sentence] * 3, other) == language
    assert other_language([sentence] * 3, language) is None
    assert other_language([sentence] * 3, "none") is None
    assert other_language(["zzz qqq"], language) is None
    assert other_language([], language) is None


@pytest.mark.parametrize("language", SENTENCES)
def test_words_are_as_the_vectorizer_finds_them(language):
    """Lower case, no apostrophes, no single letters: else scikit-learn warns."""
    words = sorted(stop_word_lists()[language])
    if language != "english":
        assert all(re.fullmatch(r"\w\w+", word) for word in words)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        CountVectorizer(stop_words=words).fit(["some words", "more words"])


def test_languages_by_name(tmp_path):
    lists = stop_word_lists()
    assert stop_words(parse(["--stop-words", "english"])) == "english"
    both = stop_words(parse(["--stop-words", "french,english"]))
    assert set(both) == lists["french"] | ENGLISH_STOP_WORDS
    wrong = str(tmp_path / "klingon")
    with pytest.raises(BadInputError, match=r"klingon: there is no such file, and the"):
        stop_words(parse(["--stop-words", wrong]))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("L'équipe a gagné 2-1 en 2024!", ["équipe", "gagné", "en", "2024"]),
        ("足球比赛", ["足球", "球比", "比赛"]),
        ("用Python写程序。好", ["Python", "写程", "程序"]),
        ("サッカー x", ["サッ", "ッカ", "カー"]),
    ],
)
def test_bigrams(text, words):
    assert (
        CountVectorizer(token_pattern=BIGRAMS, lowercase=False).build_tokenizer()(text)
        == words
    )


def test_bigrams_of_spaced_scripts_are_words():
    text = "The team_1 won, d'un côté; Straße \u0645\u0631\u062d\u0628\u0627 a1 b"
    assert re.findall(BIGRAMS, text) == re.findall(WORDS, text)


def test_which_pattern():
    assert token_pattern(()) == WORDS
    assert token_pattern(FRENCH) == WORDS
    assert token_pattern(["English with one 字 " * 5]) == WORDS
    assert token_pattern(CHINESE) == BIGRAMS
    assert token_pattern(JAPANESE) == BIGRAMS


def texts_of(pair):
    """Forty texts of two kinds, each of other parts of its sentence."""
    step = max(len(text) for text in pair) // 3
    return [pair[i % 2][(i // 2) % step :] + pair[i % 2] for i in range(40)]


@pytest.mark.parametrize(
    ("pair", "language"), [(FRENCH, "french"), (CHINESE, "english"), (JAPANESE, "none")]
)
def test_two_kinds_of_texts(pair, language, tmp_path, capsys):
    """They are told apart, by words of their own that are no stop words."""
    (tmp_path / "in").write_text("\n".join(texts_of(pair)), encoding="utf-8")
    argv = [str(tmp_path / "in"), "--lines", "--k", "2", "--stop-words", language]
    assert main([*argv, "--out", str(tmp_path / "out")]) == 0
    shown = capsys.readouterr().out
    assert shown.count(": 20 documents") == 2
    assert "Note" not in shown
    with open(tmp_path / "out" / "labels.csv", encoding="utf-8", newline="") as file:
        words = [set(row["words"].split(", ")) for row in csv.DictReader(file)]
    stop = stop_word_lists().get(language, set())
    for text, apart in zip(pair, words):
        assert len(apart) > 4
        assert all(word in (text + text).lower() for word in apart)
        assert not apart & stop


def test_a_note_on_the_language(tmp_path, capsys):
    (tmp_path / "texts").write_text("\n".join(texts_of(FRENCH)), encoding="utf-8")
    assert main([str(tmp_path / "texts"), "--lines", "--k", "2"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Note: The documents look French: --stop-words french ignores" in shown
