"""Cards, chips and the felt, read in pictures."""

import os

# onnxruntime of 1.29 and later sends usage from Linux to its maker unless it is told not to before it is loaded.
# Nothing that happens at a table is sent.
os.environ["ORT_DISABLE_TELEMETRY"] = "1"
