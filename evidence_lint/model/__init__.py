"""The model: frozen values without I/O. What rules, witnesses and formats speak about."""
