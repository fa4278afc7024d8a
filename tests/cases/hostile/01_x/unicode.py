"""
Title
=====

Decide something.
"""

print('é 中文 😀 \u202eabc\u202c \u2028 \x85 \x0c é \u200b|')
import sys
print('\ud800', b'\xff'.decode(errors='surrogateescape'), file=sys.stderr)
raise KeyError('\udfff')
