"""The pages for people. They work without scripts."""

from openseer.web.pages.routes import router

__all__ = ["router"]
