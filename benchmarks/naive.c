/* Plain greedy as one would write it first: hands as arrays, every card tried on every pile. */
#include "deal.h"

static int play(int players, int hand_size, u64 seed, u64 game) {
    struct deal d;
    shuffle_up(&d, seed, game);
    int hands[5][10], sizes[5] = {0};
    for (int p = 0; p < players; p++)
        for (int k = 0; k < hand_size; k++) hands[p][sizes[p]++] = draw(&d);
    int top[4] = {1, 1, 100, 100}, left = 98;
    for (int p = 0;; p = p + 1 == players ? 0 : p + 1) {
        if (!sizes[p]) continue;
        int needed = d.left ? 2 : 1;
        for (int laid = 0; laid < needed; laid++) {
            int best = 1000, pile = 0, place = 0;
            for (int q = 0; q < 4; q++)
                for (int k = 0; k < sizes[p]; k++) {
                    int gap = q < 2 ? hands[p][k] - top[q] : top[q] - hands[p][k];
                    if ((gap > 0 || gap == -10) && gap < best) best = gap, pile = q, place = k;
                }
            if (best == 1000) return left;
            top[pile] = hands[p][place];
            hands[p][place] = hands[p][--sizes[p]];
            left--;
        }
        if (!left) return 0;
        for (int k = 0; k < needed && d.left; k++) hands[p][sizes[p]++] = draw(&d);
    }
}

PLAY_ONE_BY_ONE
