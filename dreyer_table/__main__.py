"""`python -m dreyer_table`: the same as `dreyer`."""

import sys

from dreyer_table.start import main

if __name__ == "__main__":
    sys.exit(main())
