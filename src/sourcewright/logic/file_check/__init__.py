"""The right-file check: is a PDF the paper that was asked for?"""
