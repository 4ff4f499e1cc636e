"""The public API with `await`: the same jobs as `sourcewright` has them, as methods of `Client`."""

from sourcewright.client.asynchronous import Client

__all__ = ["Client"]
