import sys

from feltwire.lab.simroom.process import main

sys.exit(main())
