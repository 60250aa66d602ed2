"""Programs that run in the sandbox: they lead inputs towards arcs that none has taken."""
