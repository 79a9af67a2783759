/* The best path through a chain of labels, as LinearChainModel._path in sequence_model.py: from both ends at once, ties
   to the label that comes first. */

#include <stdint.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* onto[to] = the best of from[...] + steps[from][to] over all labels, plus the score of the label itself. */
static void forward(const float *steps, int32_t labels, const float *from, const float *scores, float *onto)
{
    int32_t one, two;

    for (two = 0; two < labels; two++)
        onto[two] = from[0] + steps[two];
    for (one = 1; one < labels; one++) {
        const float *row = steps + (int64_t)one * labels;
        for (two = 0; two < labels; two++) {
            float way = from[one] + row[two];
            onto[two] = way > onto[two] ? way : onto[two];
        }
    }
    for (two = 0; two < labels; two++)
        onto[two] += scores[two];
}

static int32_t best_of(const float *best, const float *row, int32_t labels)
{
    int32_t at, found = 0;

    for (at = 1; at < labels; at++)
        if (row[at] + best[at] > row[found] + best[found])
            found = at;
    return found;
}

/* scores: count x labels; steps: from x to; onto: to x from; room: count x labels; path: count. */
EXPORT void openseer_path(const float *scores, int32_t count, int32_t labels, const float *steps, const float *onto,
                          float *room, int32_t *path)
{
    int32_t half = count / 2, middle = count - half, at, one, two;
    const float *left, *right;
    float most = 0;

    if (count < 1)
        return;
    for (at = 0; at < labels; at++) {
        room[at] = scores[at];
        room[(int64_t)(count - 1) * labels + at] = scores[(int64_t)(count - 1) * labels + at];
    }
    for (at = 1; at < middle; at++)
        forward(steps, labels, room + (int64_t)(at - 1) * labels, scores + (int64_t)at * labels, room + (int64_t)at * labels);
    if (half == 0) {
        path[0] = 0;
        for (at = 1; at < labels; at++)
            if (scores[at] > scores[path[0]])
                path[0] = at;
        return;
    }
    for (at = count - 2; at >= middle; at--)
        forward(onto, labels, room + (int64_t)(at + 1) * labels, scores + (int64_t)at * labels, room + (int64_t)at * labels);
    left = room + (int64_t)(middle - 1) * labels;
    right = room + (int64_t)middle * labels;
    path[middle - 1] = path[middle] = 0;
    for (one = 0; one < labels; one++)
        for (two = 0; two < labels; two++) {
            float way = steps[(int64_t)one * labels + two] + left[one] + right[two];
            if ((one == 0 && two == 0) || way > most) {
                most = way;
                path[middle - 1] = one;
                path[middle] = two;
            }
        }
    for (at = middle - 2; at >= 0; at--)
        path[at] = best_of(room + (int64_t)at * labels, onto + (int64_t)path[at + 1] * labels, labels);
    for (at = middle + 1; at < count; at++)
        path[at] = best_of(room + (int64_t)at * labels, steps + (int64_t)path[at - 1] * labels, labels);
}
