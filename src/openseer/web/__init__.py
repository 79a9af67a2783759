"""Web site and REST API. Routes only translate between HTTP and the layers below."""
