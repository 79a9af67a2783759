"""Work page, its citing works, versions, citation map, citation styles and metadata."""
