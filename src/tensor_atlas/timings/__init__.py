"""How long conversions and transfers take, and the advice read off that."""
