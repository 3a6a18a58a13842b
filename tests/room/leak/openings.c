/* Tries every card and every tag, with every value that was found, against the commitments of a room.
 *
 * A commitment is SHA-256 of HEAD CARD "," SALT (docs/hidden-cards.md); a room has 10^8 of these to try, which
 * is minutes here and hours in Python. libcrypto does the hashing. */

#include <stdint.h>
#include <string.h>

typedef struct {
    uint64_t room[16];
} Hash; /* SHA256_CTX has 112 bytes */

int SHA256_Init(Hash *hash);
int SHA256_Update(Hash *hash, const void *text, size_t bytes);
int SHA256_Final(unsigned char *sum, Hash *hash);

#define SUM 32

/* How many combinations open `commitment`; `which` gets the number of the first card and value that did.
 * `cards` and `values` hold texts one behind the other, each with its length in `card_bytes`, `value_bytes`. */
long opened(const unsigned char *commitment, const char *head, size_t head_bytes,
            const char *cards, const uint32_t *card_bytes, long card_count,
            const char *values, const uint32_t *value_bytes, long value_count, long *which)
{
    unsigned char sum[SUM];
    long found = 0;
    for (long c = 0; c < card_count; cards += card_bytes[c++]) {
        Hash begun, whole;
        SHA256_Init(&begun);
        SHA256_Update(&begun, head, head_bytes);
        SHA256_Update(&begun, cards, card_bytes[c]);
        const char *value = values;
        for (long v = 0; v < value_count; value += value_bytes[v++]) {
            whole = begun;
            SHA256_Update(&whole, value, value_bytes[v]);
            SHA256_Final(sum, &whole);
            if (memcmp(sum, commitment, SUM) == 0 && !found++) {
                which[0] = c;
                which[1] = v;
            }
        }
    }
    return found;
}
