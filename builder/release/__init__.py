"""From tasks to a release folder, and back."""
