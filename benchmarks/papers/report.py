"""What a table or figure comes to, and how it is written.

Each table leaves ``NAME.csv`` and ``NAME.md`` (and ``NAME.png``), and its lines in
``summary.csv``, of which ``summary.md`` is made: so single tables can be run anew.
"""

# Authors: the sklearn_kernelclust developers
# SPDX-License-Identifier: BSD-3-Clause

import csv
from dataclasses import dataclass, field

import numpy as np

SUMMARY = ["table", "title", "kind", "text", "value"]


@dataclass
class Table:
    """A table of the Markdown page: header, rows, heading."""

    columns: list
    rows: list
    heading: str = ""
    digits: int = 3


@dataclass
class Result:
    """What a module's ``run`` returns.

    Parameters
    ----------
    records : list of dict
        Lines of the CSV; where there is a published number beside ours, under
        the keys "published" and "ours".
    parts : list of Table or str
        The Markdown page, below its title.
    findings : list of (str, bool or None, str)
        What the paper says, whether it holds here (None: cannot be said), and
        the numbers that show it.
    deviations : list of str
        What is not as in the paper, and what was tried.
    figure : matplotlib Figure or None
    agreement : str
        How near the published numbers are, in a few words.
    """

    records: list
    parts: list = field(default_factory=list)
    findings: list = field(default_factory=list)
    deviations: list = field(default_factory=list)
    figure: object = None
    agreement: str = ""


def beside(records, row, column, digits=2):
    """A Markdown table of published and own numbers from records.

    A row for each value of `row`, two columns (published, ours) for each of
    `column`.
    """
    names = list(dict.fromkeys(r[column] for r in records))
    rows = []
    for value in dict.fromkeys(r[row] for r in records):
        own = {r[column]: r for r in records if r[row] == value}
        cells = []
        for name in names:
            cells += [
                "/".join(
                    cell(own.get(name, {}).get(key), digits)
                    for key in ("published", "ours")
                )
            ]
        rows.append([value, *cells])
    return Table([row, *names], rows, "Published/ours")


def agreement(records, tolerances=(0.03, 0.05)):
    """How many of our numbers are near the published ones, as a sentence."""
    gaps = [
        abs(r["ours"] - r["published"])
        for r in records
        if r.get("published") is not None
    ]
    if not gaps:
        return "no published numbers"
    near = [
        f"{sum(g <= t + 1e-9 for g in gaps)} within {t:g} "
        f"({100 * np.mean(np.array(gaps) <= t + 1e-9):.0f} %)"
        for t in tolerances
    ]
    return f"{len(gaps)} numbers: {', '.join(near)}; largest gap {max(gaps):.3f}"


def cell(value, digits=3):
    if value is None:
        return ""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return f"{value:.{digits}f}"
    return str(value)


def markdown(part):
    """The text of a part."""
    if isinstance(part, str):
        return part.strip() + "\n"
    lines = [f"## {part.heading}", ""] if part.heading else []
    for row in [part.columns, ["---"] * len(part.columns), *part.rows]:
        row = [*row, *[None] * (len(part.columns) - len(row))]
        lines.append("| " + " | ".join(cell(v, part.digits) for v in row) + " |")
    return "\n".join(lines) + "\n"


def page(name, title, result, quick, seconds):
    """The Markdown page of a table."""
    parts = [f"# {title}\n"]
    what = f"`python -m benchmarks.papers --table {name}{' --quick' if quick else ''}`"
    parts.append(f"Written by {what} in {seconds:.0f} s.\n")
    if result.figure is not None:
        parts.append(f"![{title}]({name}.png)\n")
    parts += map(markdown, result.parts)
    if result.findings:
        rows = [(text, verdict(holds), shown) for text, holds, shown in result.findings]
        parts.append(markdown(Table(["finding", "holds", "seen"], rows, "Findings")))
    if result.deviations:
        lines = ["## Deviations, and what was tried", ""]
        lines += [f"- {text}" for text in result.deviations]
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def verdict(holds):
    return "cannot be said" if holds is None else "yes" if holds else "**no**"


def write(out, name, title, result, quick, seconds):
    """The files of one table, and its lines of the summary."""
    columns = list(dict.fromkeys(key for record in result.records for key in record))
    with open(out / f"{name}.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n")
        writer.writeheader()
        for record in result.records:
            writer.writerow({k: cell(v, 4) for k, v in record.items()})
    (out / f"{name}.md").write_text(
        page(name, title, result, quick, seconds), encoding="utf-8"
    )
    if result.figure is not None:
        result.figure.savefig(out / f"{name}.png", dpi=100, bbox_inches="tight")
    remember(out, name, title, result, quick, seconds)


def remember(out, name, title, result, quick, seconds):
    """Replace the lines of this table in ``summary.csv``."""
    lines = [line for line in recall(out) if line["table"] != name]
    own = [("run", "quick" if quick else "full", f"{seconds:.0f}")]
    if result.agreement:
        own.append(("agreement", result.agreement, ""))
    own += [
        ("finding", f"{t} ({s})" if s else t, str(h)) for t, h, s in result.findings
    ]
    own += [("deviation", text, "") for text in result.deviations]
    lines += [dict(zip(SUMMARY, (name, title, *line))) for line in own]
    with open(out / "summary.csv", "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, SUMMARY, lineterminator="\n")
        writer.writeheader()
        writer.writerows(lines)


def recall(out):
    """Lines of ``summary.csv``, if there is one."""
    path = out / "summary.csv"
    if not path.exists():
        return []
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def write_summary(out, order):
    """``summary.md``: all tables that were run, the papers' findings, deviations."""
    lines = sorted(recall(out), key=lambda line: place(order, line["table"]))
    names = list(dict.fromkeys(line["table"] for line in lines))
    parts = ["# The papers, redone\n", SUMMARY_TEXT]
    rows = []
    for name in names:
        own = [line for line in lines if line["table"] == name]
        runs = next(line for line in own if line["kind"] == "run")
        found = [line["value"] for line in own if line["kind"] == "finding"]
        near = next((line["text"] for line in own if line["kind"] == "agreement"), "")
        link = f"[{own[0]['title']}]({name}.md)"
        held = f"{found.count('True')} of {len(found)}" if found else ""
        rows.append([name, link, near, held, f"{runs['text']}, {runs['value']} s"])
    columns = ["name", "table", "beside the paper", "findings that hold", "run"]
    parts.append(markdown(Table(columns, rows)))
    fails = [line for line in lines if line["kind"] == "finding"]
    fails = [
        [line["table"], line["text"], "no" if line["value"] == "False" else "unknown"]
        for line in fails
        if line["value"] != "True"
    ]
    if fails:
        heading = "Findings that do not hold here"
        parts.append(markdown(Table(["table", "finding", "holds"], fails, heading)))
    told = [
        f"- **{line['table']}** {line['text']}"
        for line in lines
        if line["kind"] == "deviation"
    ]
    if told:
        parts.append("\n".join(["## Deviations, and what was tried", "", *told]) + "\n")
    (out / "summary.md").write_text("\n".join(parts), encoding="utf-8")


def place(order, name):
    return order.index(name) if name in order else len(order)


SUMMARY_TEXT = """Written by `python -m benchmarks.papers`. Each page has the published
numbers beside ours; the published ones are in `published.csv`. DD: Greene and
Cunningham, diagonal dominance. PV: Greene and Cunningham, prediction-based
validation. KP: Zeimpekis and Gallopoulos, kernel PDDP. SK: Gkotsopoulou and Monge,
string kernels. NK: Ah-Pine, normalised kernels.
"""
