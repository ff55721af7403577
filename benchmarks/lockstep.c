/* Plain greedy in C, as fast as it goes: one game per byte of a vector register, all in lockstep.
 *
 * Plain greedy lays exactly the minimum, so in every game the same player is on turn with as many cards, and the
 * draw pile is as high: only the cards differ. A game that is lost goes on with rubbish that nobody counts. Nothing
 * of this can serve strategies that decide for themselves when to stop; it shows what the processor could do.
 */
#include "deal.h"
#include <immintrin.h>

#if defined(__AVX512BW__)
enum { LANES = 64 };
typedef __m512i bytes;
typedef u64 mask;
#define all(x) _mm512_set1_epi8((char)(x))
#define add _mm512_add_epi8
#define sub _mm512_sub_epi8
#define least _mm512_min_epu8
#define equal _mm512_cmpeq_epi8_mask
#define below _mm512_cmplt_epu8_mask
#define pick(m, yes, no) _mm512_mask_blend_epi8(m, no, yes)
#define as_bits(m) (m)
#elif defined(__AVX2__)
enum { LANES = 32 };
typedef __m256i bytes, mask;
#define all(x) _mm256_set1_epi8((char)(x))
#define add _mm256_add_epi8
#define sub _mm256_sub_epi8
#define least _mm256_min_epu8
#define equal _mm256_cmpeq_epi8
#define below(a, b) _mm256_xor_si256(_mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a), all(255))
#define pick(m, yes, no) _mm256_blendv_epi8(no, yes, m)
#define as_bits(m) (uint32_t) _mm256_movemask_epi8(m)
#else
#error needs a processor with AVX2
#endif

enum { BACKWARD = 0, NOTHING = 255 };
/* In the place of a card just laid: out of reach of every pile. */
enum { FIRST_GAP = 178, SECOND_GAP = 179 };

/* Decks of consecutive games, card after card, a game per lane. */
static void deal(u64 seed, u64 first, uint8_t cards[98][LANES]) {
    uint8_t decks[LANES][128];
    u64 states[LANES];
    uint32_t places[2][LANES];
    for (int lane = 0; lane < LANES; lane++) {
        states[lane] = deal_state(seed, first + lane);
        for (int i = 0; i < 98; i++) decks[lane][i] = i + 2;
    }
    for (int left = 98; left; left -= 2) {
        for (int lane = 0; lane < LANES; lane++) {
            u64 word = mix(states[lane] += GOLDEN);
            places[0][lane] = (word >> 32) * left >> 32;
            places[1][lane] = (word & 0xFFFFFFFF) * (left - 1) >> 32;
        }
        for (int lane = 0; lane < LANES; lane++) {
            uint8_t *deck = decks[lane], *one = deck + places[0][lane], *other = deck + places[1][lane];
            cards[98 - left][lane] = *one;
            *one = deck[left - 1];
            cards[99 - left][lane] = *other;
            *other = deck[left - 2];
        }
    }
}

/* Lays the card of the smallest gap in every game; tells where there was one. */
static inline __attribute__((always_inline)) u64 lay(bytes *hand, int size, bytes tops[4], int gap_mark) {
    bytes best = all(NOTHING), chosen = all(0), keys[4], onto[4];
    for (int q = 0; q < 4; q++) {
        bytes top = tops[q], far = all(NOTHING), back = q < 2 ? sub(top, all(10)) : add(top, all(10));
        bytes next = q < 2 ? add(top, all(1)) : sub(top, all(1)), key, card;
        mask backward = equal(hand[0], back);
        /* card - top - 1 modulo 256: cards on the wrong side come out above all that fit. */
        for (int k = 0; k < size; k++) {
            far = least(far, q < 2 ? sub(hand[k], next) : sub(next, hand[k]));
            if (k) backward |= equal(hand[k], back);
        }
        mask fits = below(far, q < 2 ? sub(all(99), top) : sub(top, all(2)));
        card = q < 2 ? add(next, far) : sub(next, far);
        key = pick(fits, add(far, all(1)), all(NOTHING));
        keys[q] = pick(backward, all(BACKWARD), key);
        onto[q] = pick(backward, back, card);
        /* Strictly less: ties go to the lowest pile. */
        chosen = pick(below(keys[q], best), onto[q], chosen);
        best = least(best, keys[q]);
    }
    mask open = equal(best, best); /* everywhere: which games have not found their pile yet */
    for (int q = 0; q < 4; q++) {
        mask here = equal(keys[q], best) & open;
        tops[q] = pick(here, chosen, tops[q]);
        open &= ~here;
    }
    for (int k = 0; k < size; k++) hand[k] = pick(equal(hand[k], chosen), all(gap_mark), hand[k]);
    return ~as_bits(equal(best, all(NOTHING)));
}

static inline __attribute__((always_inline)) void play(int players, int size, u64 seed, u64 first, u64 games,
                                                       int64_t *counts) {
    uint8_t cards[98][LANES] __attribute__((aligned(64)));
    bytes hands[5][8], tops[4] = {all(1), all(1), all(100), all(100)};
    deal(seed, first, cards);
    u64 alive = games < 64 ? (1ull << games) - 1 : ~0ull;
    int dealt = 0, left = 98;
    for (int p = 0; p < players; p++)
        for (int k = 0; k < size; k++) hands[p][k] = *(bytes *)cards[dealt++];
    for (int p = 0; left; p = p + 1 == players ? 0 : p + 1) {
        for (int laid = 0; laid < (dealt < 98 ? 2 : 1); laid++) {
            u64 going_on = lay(hands[p], size, tops, laid ? SECOND_GAP : FIRST_GAP);
            counts[left] += __builtin_popcountll(alive & ~going_on);
            alive &= going_on;
            left--;
        }
        if (!alive) return;
        if (dealt == 98) continue;
        bytes one = *(bytes *)cards[dealt], other = *(bytes *)cards[dealt + 1];
        dealt += 2;
        for (int k = 0; k < size; k++) {
            bytes card = pick(equal(hands[p][k], all(FIRST_GAP)), one, hands[p][k]);
            hands[p][k] = pick(equal(card, all(SECOND_GAP)), other, card);
        }
    }
    counts[0] += __builtin_popcountll(alive);
}

/* One copy of the game per number of players, so that loops over a hand have a fixed length. */
void play_games(int players, int hand_size, u64 seed, u64 first, u64 games, int64_t *counts) {
    for (u64 done = 0; done < games; done += LANES) {
        u64 lanes = games - done < LANES ? games - done : LANES;
        switch (players) {
            case 1: play(1, 8, seed, first + done, lanes, counts); break;
            case 2: play(2, 7, seed, first + done, lanes, counts); break;
            case 3: play(3, 6, seed, first + done, lanes, counts); break;
            case 4: play(4, 6, seed, first + done, lanes, counts); break;
            case 5: play(5, 6, seed, first + done, lanes, counts); break;
        }
    }
}
