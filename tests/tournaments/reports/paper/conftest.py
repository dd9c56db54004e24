"""A compiler of LaTeX for tests."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

DOCUMENT = """\\documentclass{article}
\\usepackage{booktabs}
\\usepackage{graphicx}
\\begin{document}
%s
\\end{document}
"""


@pytest.fixture
def compiled(tmp_path: Path) -> Callable[[str], str]:
    """What compiles a text in the test's folder, which must succeed, and returns the log."""
    if not shutil.which("pdflatex"):
        pytest.skip("needs pdflatex, as of texlive-latex-recommended")

    def compile_text(text: str) -> str:
        (tmp_path / "paper.tex").write_text(DOCUMENT % text, encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, errors="replace", check=False)
        assert done.returncode == 0, done.stdout[-2000:]
        return done.stdout

    return compile_text
