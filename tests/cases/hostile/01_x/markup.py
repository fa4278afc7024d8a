"""
Title
=====

Decide something.
"""

print("<script>document.title='planted'</script> <b onclick=x>b</b> &amp; `link <javascript:x>`_ |sub| **s** :raw:`x`")
import warnings
warnings.warn("<script>document.title='planted'</script> <b onclick=x>b</b> &amp; `link <javascript:x>`_ |sub| **s** :raw:`x`")
