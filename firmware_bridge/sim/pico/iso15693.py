"""ISO/IEC 15693 on the air, high data rate, one subcarrier: the times of its frames, and its CRC.

The carrier is fc = 13.56 MHz. A request is pulse-position coded, 1 out of 4: four bits take 2048/fc, so a byte
takes 4096/fc = 302.06 us; its SOF takes 75.5 us and its EOF 37.8 us. A response is Manchester coded, a bit takes
512/fc = 37.76 us, a byte again 302.06 us; its SOF and its EOF take 151.0 us each. Times here are rounded to
microseconds.
"""

REQUEST_SOF_US = 76
REQUEST_EOF_US = 38
RESPONSE_SOF_US = 151
RESPONSE_EOF_US = 151
T1_US = 321  # from a request's end to its response: 4352/fc
T2_US = 309  # from a response's end to the next request: 4192/fc
T3_US = 323  # from a request that nobody answered to the next EOF: 4384/fc
READY_US = 1_000  # a tag in a field of its strength for so long takes requests

INVENTORY = 0x01
STAY_QUIET = 0x02
RESET_TO_READY = 0x26

FLAG_TWO_SUBCARRIERS = 0x01
FLAG_HIGH_RATE = 0x02
FLAG_INVENTORY = 0x04
FLAG_ONE_SLOT = 0x20  # in an inventory
FLAG_ADDRESSED = 0x20  # in any other request


def bytes_us(count: int) -> int:
    """How long `count` bytes take, in either direction."""
    return (count * 30206 + 50) // 100


def request_us(count: int) -> int:
    """How long a request of `count` bytes takes, CRC included; 0: an EOF alone."""
    if count == 0:
        return REQUEST_EOF_US
    return REQUEST_SOF_US + bytes_us(count) + REQUEST_EOF_US


def response_us(count: int) -> int:
    """How long a response of `count` bytes takes, CRC included."""
    return RESPONSE_SOF_US + bytes_us(count) + RESPONSE_EOF_US


def crc16(data: bytes) -> int:
    """ISO/IEC 13239: polynomial 0x8408 (reflected), preset 0xFFFF, inverted; sent low byte first."""
    crc = 0xFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ 0x8408 if crc & 1 else crc >> 1
    return crc ^ 0xFFFF


def with_crc(data: bytes) -> bytes:
    crc = crc16(data)
    return data + bytes((crc & 0xFF, crc >> 8))
