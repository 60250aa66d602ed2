"""Releases on the Hugging Face Hub: planning, pushing and reading back."""
