import sys

from feltwire.simroom.process import main

sys.exit(main())
