"""Laws that measures obey, checked on made-up collections against oracles, and mutants that must
not survive.
"""
