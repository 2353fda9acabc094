"""What the bundle starts: the command, in a window that stays open where something is wrong."""

import sys

from dreyer_table.start import main, words_of

if __name__ == "__main__":
    code = main()
    started_by_hand = len(sys.argv) == 1 and sys.stdin is not None and sys.stdin.isatty()
    if code and started_by_hand and sys.platform == "win32":
        input(words_of()["close"])
    sys.exit(code)
