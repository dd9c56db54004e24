"""Material for papers: tables in LaTeX, figures in one style, sentences on the method, a bundle that can be replayed."""
