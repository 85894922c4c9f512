#!/usr/bin/env python3
"""Writes templates.cpp: the files of plugins/template as texts of the program, so that `tune-gemm new` needs no files of its own.

usage: embed_templates.py TEMPLATE_FOLDER OUTPUT FILE...     FILE: FOLDER/NAME.in below the template folder
"""
import pathlib
import sys

root, output, *files = sys.argv[1:]
entries = []
for name in files:
    text = (pathlib.Path(root) / name).read_text(encoding="utf-8")
    folder, file = name.removesuffix(".in").split("/")
    assert ')tgt"' not in text, name
    entries.append(f'    {{"{folder}", "{file}", R"tgt({text})tgt"}},\n')
pathlib.Path(output).write_text(
    '#include "cli/templates.hpp"\n\nnamespace tune_gemm::host {\nnamespace {\nconstexpr Template all[] = {\n'
    + "".join(entries) + "};\n} // namespace\n\nstd::span<const Template> templates() noexcept {\n    return all;\n}\n"
    "} // namespace tune_gemm::host\n", encoding="utf-8")
