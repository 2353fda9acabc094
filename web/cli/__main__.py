"""`python -m web.cli`: the same as `dreyer`."""

import sys

from web.cli import main

sys.exit(main())
