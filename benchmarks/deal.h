/* The deal of the simulator, for the yardsticks: a game is (seed, game), its deck the same everywhere. */
#include <stdint.h>
#include <string.h>

typedef uint64_t u64;

static const u64 GOLDEN = 0x9E3779B97F4A7C15ull;

static inline u64 mix(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline u64 deal_state(u64 seed, u64 game) { return mix(mix(seed + GOLDEN) + (game + 1) * GOLDEN); }

struct deal {
    u64 state, word;
    int left;
    uint8_t deck[98];
};

static inline void shuffle_up(struct deal *d, u64 seed, u64 game) {
    d->state = deal_state(seed, game);
    d->word = 0;
    d->left = 98;
    for (int i = 0; i < 98; i++) d->deck[i] = i + 2;
}

static inline int draw(struct deal *d) {
    uint32_t half;
    if (d->left % 2 == 0) {
        d->word = mix(d->state += GOLDEN);
        half = d->word >> 32;
    } else
        half = (uint32_t)d->word;
    int i = (int)(((u64)half * (u64)d->left) >> 32);
    int card = d->deck[i];
    d->deck[i] = d->deck[--d->left];
    return card;
}

/* Each yardstick plays games of standard rules, two cards a turn, and adds to the counts of cards left. */
#define PLAY_ONE_BY_ONE                                                                                       \
    void play_games(int players, int hand_size, u64 seed, u64 first, u64 games, int64_t *counts) {            \
        for (u64 game = first; game < first + games; game++) counts[play(players, hand_size, seed, game)]++; \
    }
