"""Formulas of PDFs: signs of math fonts, and display formulas in linear order."""
