"""Runs under CPython and MicroPython and must print the same: frames encoded, and decoded from damaged streams."""

from firmware_bridge import frames, payloads

state = 12345


def chance(below):
    global state
    state = (state * 1103515245 + 12345) % 2147483648
    return (state >> 8) % below


def some_bytes(count):
    return bytes([chance(4) and chance(256) for _ in range(count)])


def damaged(data):
    data = bytearray(data)
    for _ in range(chance(3)):
        at = chance(len(data))
        how = chance(3)
        if how == 0:
            data[at] ^= 1 << chance(8)
        elif how == 1:
            data = data[:at] + data[at + 1 :]
        else:
            data = data[:at] + bytes([chance(2) * chance(256)]) + data[at:]
    return bytes(data)


for native in (frames._native_crc32, None):
    frames._native_crc32 = native
    decoder = frames.Decoder()
    for _ in range(400):
        kind, boot, seq = 1 + chance(255), chance(65536) * 65521, chance(2) * chance(1000)
        sent = frames.encode(kind, boot, seq, some_bytes(chance(frames.MAX_PAYLOAD + 1)))
        print(sent.hex())
        stream = damaged(sent) + bytes([0] * chance(2))
        cut = chance(len(stream) + 1)
        for frame in decoder.feed(stream[:cut]) + decoder.feed(stream[cut:]):
            print("->", frame, frame.payload.hex() or "-")
    decoder.feed(b"x" * 1000)
    print(decoder.bytes, decoder.frames, decoder.bad)

hello = payloads.read_hello(payloads.hello(payloads.SHOE, "Schuh ♠", 0x1234, b"12345678"))
print(hello.protocol, hello.device_kind, hello.capabilities, hello.source, hello.firmware)
print(payloads.cards([b"12345678", payloads.NO_TAG], 77).hex(), payloads.read_card_back(bytes(13)))
print(payloads.read_sound(payloads.sound(1800, 60, 40, 2)), payloads.read_lost(payloads.lost(3, 1, 9)))
print(payloads.read_lamp(payloads.lamp(4, 255, 160, 0, True)))
for bad in (bytes(4), bytes(3)):
    try:
        payloads.read_key(bad)
    except ValueError as error:
        print(error)
