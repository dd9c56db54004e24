"""The parts that all studies share: their definitions, their folder, their games, and the engine that plays them."""
