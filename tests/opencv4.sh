#!/usr/bin/env bash
# The eye with OpenCV 4.11 and numpy 1, as Raspberry Pi OS bookworm has them: in an environment of its own, which is
# thrown away. `tests/opencv4.sh [pytest arguments]`
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder"
"$folder/bin/pip" --quiet install "opencv-python-headless==4.11.*" "numpy<2" onnxruntime msgspec simplejpeg pytest pytest-timeout \
  starlette uvicorn jinja2 pynacl pyserial paho-mqtt gpiozero hypothesis
"$folder/bin/python" -m pytest -q -p no:cacheprovider tests/vision/camera/test_{camera,live_camera,calibrate,camera_shift}.py \
  tests/vision/test_{felt,watch}.py \
  tests/vision/test_cards.py tests/feltwire/table/test_sensing.py "$@"
