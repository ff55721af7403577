/* Plain greedy in plain C with 128-bit card sets: the yardstick for the kernel. Same deal, same counts. */
#include <stdint.h>

typedef unsigned __int128 set;
typedef uint64_t u64;

static const u64 GOLDEN = 0x9E3779B97F4A7C15ull;

static inline u64 mix(u64 z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

static inline int lowest(set s) {
    u64 low = (u64)s;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((u64)(s >> 64));
}

static inline int highest(set s) {
    u64 high = (u64)(s >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((u64)s);
}

struct deal {
    u64 state, word;
    int left;
    uint8_t deck[98];
};

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

static int play(int players, int hand_size, int minimum, u64 seed, u64 game) {
    struct deal d = {.state = mix(mix(seed + GOLDEN) + (game + 1) * GOLDEN), .left = 98};
    for (int i = 0; i < 98; i++) d.deck[i] = i + 2;
    set hands[5] = {0};
    for (int p = 0; p < players; p++)
        for (int k = 0; k < hand_size; k++) hands[p] |= (set)1 << draw(&d);
    int top[4] = {1, 1, 100, 100}, left = 98;
    for (int p = 0;; p = p + 1 == players ? 0 : p + 1) {
        set hand = hands[p];
        if (!hand) continue;
        int needed = d.left ? minimum : 1;
        for (int laid = 0; laid < needed; laid++) {
            int best = 1000, pile = 0, card = 0;
            for (int q = 0; q < 2; q++) {
                int t = top[q];
                set above = hand >> t >> 1;
                if (t > 10 && (hand >> (t - 10) & 1)) {
                    if (-10 < best) best = -10, pile = q, card = t - 10;
                } else if (above) {
                    int gap = lowest(above) + 1;
                    if (gap < best) best = gap, pile = q, card = t + gap;
                }
            }
            for (int q = 2; q < 4; q++) {
                int t = top[q];
                set below = hand & (((set)1 << t) - 1);
                if (t < 90 && (hand >> (t + 10) & 1)) {
                    if (-10 < best) best = -10, pile = q, card = t + 10;
                } else if (below) {
                    int gap = t - highest(below);
                    if (gap < best) best = gap, pile = q, card = t - gap;
                }
            }
            if (best == 1000) return left;
            hand &= ~((set)1 << card);
            top[pile] = card;
            left--;
        }
        if (!left) return 0;
        for (int k = 0; k < needed && d.left; k++) hand |= (set)1 << draw(&d);
        hands[p] = hand;
    }
}

void play_games(int players, int hand_size, int minimum, u64 seed, u64 first, u64 games, int64_t *counts) {
    for (u64 game = first; game < first + games; game++) counts[play(players, hand_size, minimum, seed, game)]++;
}
