"""The command `pegnn` as `python -m pegnn`."""

import sys

from pegnn_command import main

sys.exit(main())
