"""The rules of play: pure values and functions, without framework, clock or chance."""
