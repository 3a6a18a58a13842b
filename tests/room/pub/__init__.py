"""`python -m tests.room.pub`: an evening at three tables without a device, opened by `feltwire home`."""
