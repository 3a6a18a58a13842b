import sys

from feltwire.cli import main

sys.exit(main())
