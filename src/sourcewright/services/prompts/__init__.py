"""MCP prompts, one module each; every module of this package is registered."""

import importlib
import pkgutil

from sourcewright.services.prompts._template import PromptTemplate

__all__ = ["PromptTemplate", "discover"]


def discover() -> dict[str, PromptTemplate]:
    """Import all prompts; return them by name."""
    modules = [m.name for m in pkgutil.iter_modules(__path__) if not m.name.startswith("_")]
    templates = [_template_in(module) for module in modules]
    return {template.name: template for template in templates}


def _template_in(module: str) -> PromptTemplate:
    template = vars(importlib.import_module(f"{__name__}.{module}")).get("PROMPT")
    match template:
        case PromptTemplate():
            return template
    raise ImportError(f"{__name__}.{module} must define PROMPT")
