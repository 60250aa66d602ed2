"""The page on which a reader looks at a whole release, in a browser and without a network."""
