/* Tries every card and every tag, with every value that was found, against one commitment of a room.
 *
 * A commitment is SHA-256 of HEAD CARD TAIL, the tail with the value in it (docs/hidden-cards.md). A room has 10^8
 * of these to try: hours in Python, and here sixteen of them at once, one in each lane of a vector. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define LANES 16
#define BLOCK 64 /* bytes, or 16 words */

typedef uint32_t Lanes __attribute__((vector_size(4 * LANES)));

static const uint32_t ROUND[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};
static const uint32_t START[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                  0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

#define RIGHT(x, n) ((x) >> (n) | (x) << (32 - (n)))

static inline void compress(Lanes state[8], const Lanes block[16])
{
    Lanes w[16], a = state[0], b = state[1], c = state[2], d = state[3];
    Lanes e = state[4], f = state[5], g = state[6], h = state[7];
    memcpy(w, block, sizeof w);
#pragma GCC unroll 64
    for (int t = 0; t < 64; t++) {
        if (t >= 16) {
            Lanes x = w[(t + 1) % 16], y = w[(t + 14) % 16];
            w[t % 16] += (RIGHT(x, 7) ^ RIGHT(x, 18) ^ x >> 3) + w[(t + 9) % 16] + (RIGHT(y, 17) ^ RIGHT(y, 19) ^ y >> 10);
        }
        Lanes one = h + (RIGHT(e, 6) ^ RIGHT(e, 11) ^ RIGHT(e, 25)) + ((e & f) ^ (~e & g)) + ROUND[t] + w[t % 16];
        Lanes two = (RIGHT(a, 2) ^ RIGHT(a, 13) ^ RIGHT(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
        h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

static uint32_t big_endian(const unsigned char *bytes)
{
    return (uint32_t)bytes[0] << 24 | bytes[1] << 16 | bytes[2] << 8 | bytes[3];
}

/* HEAD CARD: what was hashed of it in whole blocks, and the rest as the first words of the next block. */
typedef struct {
    Lanes state[8];
    uint32_t rest[16];
    size_t bytes;
} Begun;

static void begin(Begun *begun, const char *head, size_t head_bytes, const char *card, size_t card_bytes)
{
    size_t bytes = head_bytes + card_bytes, at = 0;
    unsigned char text[bytes + BLOCK];
    memset(text, 0, sizeof text);
    memcpy(text, head, head_bytes);
    memcpy(text + head_bytes, card, card_bytes);
    begun->bytes = bytes;
    for (int i = 0; i < 8; i++) begun->state[i] = START[i] - (Lanes){0};
    for (;; at += BLOCK) {
        for (int i = 0; i < 16; i++) begun->rest[i] = big_endian(text + at + 4 * i);
        if (at + BLOCK > bytes) return;
        Lanes block[16];
        for (int i = 0; i < 16; i++) block[i] = begun->rest[i] - (Lanes){0};
        compress(begun->state, block);
    }
}

/* The tails of one length, one in each lane, padded, behind `begun` bytes; the number of blocks. */
static int place(Lanes *words, const char *tails, size_t tail_bytes, long count, size_t begun)
{
    size_t before = begun % BLOCK, blocks = (before + tail_bytes + 9 + BLOCK - 1) / BLOCK;
    unsigned char text[blocks * BLOCK];
    for (int lane = 0; lane < LANES; lane++) {
        memset(text, 0, sizeof text);
        memcpy(text + before, tails + tail_bytes * (lane < count ? lane : count - 1), tail_bytes);
        text[before + tail_bytes] = 0x80;
        for (int i = 0; i < 8; i++) text[sizeof text - 1 - i] = (uint64_t)(begun + tail_bytes) * 8 >> 8 * i;
        for (size_t i = 0; i < 16 * blocks; i++) words[i][lane] = big_endian(text + 4 * i);
    }
    return blocks;
}

/* How many combinations open `commitment`, or -1: no memory, or a tail of over 128 bytes. `which` gets the number of
 * the first card and tail that did. `cards` and `tails` hold texts one behind the other, each with its length in
 * `card_bytes` and `tail_bytes`; lists that are sorted by length are fast. */
long opened(const unsigned char *commitment, const char *head, size_t head_bytes,
            const char *cards, const uint32_t *card_bytes, long card_count,
            const char *tails, const uint32_t *tail_bytes, long tail_count, long *which)
{
    Begun *begun = aligned_alloc(_Alignof(Begun), card_count * sizeof(Begun));
    if (!begun) return -1;
    for (long c = 0; c < card_count; cards += card_bytes[c++]) begin(&begun[c], head, head_bytes, cards, card_bytes[c]);
    uint32_t wanted[8];
    for (int i = 0; i < 8; i++) wanted[i] = big_endian(commitment + 4 * i);
    long found = 0;
    for (long first = 0, count; first < tail_count; tails += count * tail_bytes[first], first += count) {
        if (tail_bytes[first] > 128) return free(begun), -1;
        for (count = 1; count < LANES && first + count < tail_count; count++)
            if (tail_bytes[first + count] != tail_bytes[first]) break;
        Lanes words[16 * 4];
        int blocks = 0;
        for (long c = 0; c < card_count; c++) {
            if (!c || begun[c].bytes != begun[c - 1].bytes)
                blocks = place(words, tails, tail_bytes[first], count, begun[c].bytes);
            Lanes state[8], block[16];
            memcpy(state, begun[c].state, sizeof state);
            for (int i = 0; i < 16; i++) block[i] = words[i] | begun[c].rest[i];
            compress(state, block);
            for (int b = 1; b < blocks; b++) compress(state, words + 16 * b);
            for (int lane = 0; lane < count; lane++) {
                int same = 0;
                while (same < 8 && state[same][lane] == wanted[same]) same++;
                if (same == 8 && !found++) {
                    which[0] = c;
                    which[1] = first + lane;
                }
            }
        }
    }
    free(begun);
    return found;
}
