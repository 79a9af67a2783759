"""The REST API under /api."""

from openseer.web.api.routes import router

__all__ = ["router"]
