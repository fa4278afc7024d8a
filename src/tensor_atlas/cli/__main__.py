"""``python -m tensor_atlas.cli``: the command without its installed script."""

import sys

from tensor_atlas.cli import main

sys.exit(main())
