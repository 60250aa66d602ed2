"""Questions to language models: asked once, kept, paid for knowingly."""
