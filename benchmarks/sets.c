/* Plain greedy in C with 128-bit card sets. */
#include "deal.h"

typedef unsigned __int128 set;

static inline int lowest(set s) {
    u64 low = (u64)s;
    return low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((u64)(s >> 64));
}

static inline int highest(set s) {
    u64 high = (u64)(s >> 64);
    return high ? 127 - __builtin_clzll(high) : 63 - __builtin_clzll((u64)s);
}

static int play(int players, int hand_size, u64 seed, u64 game) {
    struct deal d;
    shuffle_up(&d, seed, game);
    set hands[5] = {0};
    for (int p = 0; p < players; p++)
        for (int k = 0; k < hand_size; k++) hands[p] |= (set)1 << draw(&d);
    int top[4] = {1, 1, 100, 100}, left = 98;
    for (int p = 0;; p = p + 1 == players ? 0 : p + 1) {
        set hand = hands[p];
        if (!hand) continue;
        int needed = d.left ? 2 : 1;
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

PLAY_ONE_BY_ONE
