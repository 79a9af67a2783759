/* Boosted trees, walked from C: forest.py describes the nodes and does the same where this was not built.
   Plain C without Python's headers: forest.py loads it with ctypes. */

#include <stdint.h>

#if defined(_WIN32)
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* A leaf has feature -1 and its value in `threshold`. */
struct node {
    double threshold;
    int32_t left, right, feature, pad;
};

EXPORT int32_t openseer_forest_version(void)
{
    return 1;
}

/* Adds to sums (count rows of `classes`) what each tree says of each row (`width` numbers); tree t speaks of class t % classes. */
EXPORT void openseer_forest(const struct node *nodes, const int32_t *roots, int32_t trees, int32_t classes,
                            const double *rows, int32_t count, int32_t width, double *sums)
{
    for (int32_t number = 0; number < count; number++) {
        const double *row = rows + (int64_t)number * width;
        for (int32_t tree = 0; tree < trees; tree++) {
            const struct node *node = nodes + roots[tree];
            while (node->feature >= 0)
                node = nodes + (row[node->feature] <= node->threshold ? node->left : node->right);
            sums[(int64_t)number * classes + tree % classes] += node->threshold;
        }
    }
}
