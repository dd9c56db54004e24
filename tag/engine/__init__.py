"""The engine: states, actions, forward models, random numbers, parameters and rules that many games share."""
