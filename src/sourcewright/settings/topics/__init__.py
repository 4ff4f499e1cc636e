"""The settings, declared by topic; `Settings` is all of them."""
