"""Traces (OpenTelemetry): spans of tool calls and of their requests, sent to a collector."""
