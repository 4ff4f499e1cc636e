"""Metrics of the HTTP server for Prometheus; imported only if they are served."""
