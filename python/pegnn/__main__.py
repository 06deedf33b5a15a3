"""The command `pegnn` as `python -m pegnn`."""

import sys

from pegnn_command import main

if __name__ == "__main__":
    sys.exit(main())
