/* The queries of glyph_queries.py in C: the same runs in the same order, a page in one call.
 *
 * A plain shared library, called by native.py through ctypes.PyDLL (which keeps the interpreter lock: pdfium is not
 * thread-safe). It needs no header of Python or pdfium: the caller passes the addresses of pdfium's functions, so they
 * belong to the one library that pypdfium2 has loaded. No state outlives a call. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#define EXPORT __declspec(dllexport)
#else
#define EXPORT __attribute__((visibility("default")))
#endif

/* Increase, here and in native.py, with every change of the structures or of the result of a function. */
#define VERSION 2
#define MAX_STYLES 1024
#define MAX_FONTS 256
#define MAX_NAME 256
#define HYPHEN 2 /* marks a word that continues in the next line */

/* Reasons to leave a page to Python. */
enum { TOO_MANY = -1, OTHER_PIECES = -2, NO_MEMORY = -3 };

struct pdfium {
    void *(*object)(void *page, int index);
    int (*origin)(void *page, int index, double *x, double *y);
    int (*box)(void *page, int index, double *left, double *right, double *bottom, double *top);
    int (*matrix)(void *page, int index, float *matrix);
    double (*size)(void *page, int index);
    void *(*font)(void *object);
    size_t (*name)(void *font, char *buffer, size_t length);
    unsigned int (*unicode)(void *page, int index);
};

struct run {
    int32_t start, end, style, glued;
    double x0, x1, base;
};

struct style {
    double size;
    float a, b;
    int32_t font, pad;
};

struct found {
    double left, bottom, right, top; /* the box of the page, given */
    int32_t quarter;                 /* turns it is shown with, given */
    int32_t styles_count, fonts_count, pad;
    struct style styles[MAX_STYLES];
    char fonts[MAX_FONTS][MAX_NAME];
};

/* Style cache of the text objects of this page: style + 1 by address, open addressing. */
struct known {
    void *object;
    int32_t style;
};

struct asking {
    const struct pdfium *pdfium;
    void *page;
    struct found *found;
    struct known *known;
    size_t mask;
    void *font_at[MAX_FONTS];
    int32_t font_number[MAX_FONTS];
    int32_t fonts_seen;
};

struct look {
    int32_t style;
    double x, y;
};

static void turn(const struct found *found, double x, double y, double *across, double *down)
{
    switch (found->quarter) {
    case 0: *across = x - found->left; *down = found->top - y; break;
    case 1: *across = y - found->bottom; *down = x - found->left; break;
    case 2: *across = found->right - x; *down = y - found->bottom; break;
    default: *across = found->top - y; *down = found->right - x; break;
    }
}

/* True for characters outside of WORD_PATTERN of glyph_queries.py: `\s` of Python's patterns and pdfium's marks. */
static int is_gap(uint32_t code)
{
    if (code < 0x80)
        return code == ' ' || (code >= 9 && code <= 13) || (code >= 28 && code <= 31) || code == 0 || code == HYPHEN;
    return code == 0x85 || code == 0xA0 || code == 0x1680 || (code >= 0x2000 && code <= 0x200A) || code == 0x2028 ||
           code == 0x2029 || code == 0x202F || code == 0x205F || code == 0x3000 || code == 0xFFFD;
}

static const char *plain(const char *name)
{
    const char *plus = strchr(name, '+');
    return plus ? plus + 1 : name;
}

/* The number of a font; fonts that differ only in their subset tag are one. */
static int32_t font_of(struct asking *ask, void *font)
{
    struct found *found = ask->found;
    int32_t i;
    char name[MAX_NAME];

    for (i = ask->fonts_seen - 1; i >= 0; i--)
        if (ask->font_at[i] == font)
            return ask->font_number[i];
    if (ask->fonts_seen == MAX_FONTS)
        return TOO_MANY;
    memset(name, 0, sizeof name);
    if (!font || ask->pdfium->name(font, name, sizeof name) > sizeof name)
        strcpy(name, "?");
    name[MAX_NAME - 1] = 0;
    for (i = 0; i < found->fonts_count; i++)
        if (!strcmp(plain(found->fonts[i]), plain(name)))
            break;
    if (i == found->fonts_count) /* never more than fonts seen */
        memcpy(found->fonts[found->fonts_count++], name, sizeof name);
    ask->font_at[ask->fonts_seen] = font;
    ask->font_number[ask->fonts_seen++] = i;
    return i;
}

static int32_t ask_style(struct asking *ask, int index, void *object)
{
    struct found *found = ask->found;
    struct style style;
    float matrix[6] = {0, 0, 0, 0, 0, 0};
    double points, scale, size, c, d;
    int32_t i;

    memset(&style, 0, sizeof style);
    ask->pdfium->matrix(ask->page, index, matrix);
    points = ask->pdfium->size(ask->page, index);
    c = matrix[2], d = matrix[3];
    scale = sqrt(c * c + d * d);
    size = points * (scale == 0 ? 1.0 : scale);
    style.size = isfinite(size) ? nearbyint(size * 5) / 5 + 0.0 : 0.0; /* never -0.0 */
    style.a = matrix[0], style.b = matrix[1];
    style.font = font_of(ask, object ? ask->pdfium->font(object) : NULL);
    if (style.font < 0)
        return style.font;
    for (i = found->styles_count - 1; i >= 0; i--)
        if (!memcmp(&found->styles[i], &style, sizeof style))
            return i;
    if (found->styles_count == MAX_STYLES)
        return TOO_MANY;
    found->styles[found->styles_count] = style;
    return found->styles_count++;
}

static int32_t style_of(struct asking *ask, int index)
{
    void *object = ask->pdfium->object(ask->page, index);
    size_t slot;
    int32_t style;

    if (!object)
        return ask_style(ask, index, NULL);
    slot = (size_t)(((uintptr_t)object >> 4) * (uintptr_t)2654435761u) & ask->mask;
    while (ask->known[slot].object && ask->known[slot].object != object)
        slot = (slot + 1) & ask->mask;
    if (ask->known[slot].object)
        return ask->known[slot].style;
    style = ask_style(ask, index, object);
    if (style >= 0)
        ask->known[slot].object = object, ask->known[slot].style = style;
    return style;
}

/* Style and origin of a character; negative when there are too many styles. */
static int32_t look_at(struct asking *ask, int index, struct look *look)
{
    double x = 0, y = 0;

    look->style = style_of(ask, index);
    ask->pdfium->origin(ask->page, index, &x, &y);
    turn(ask->found, x, y, &look->x, &look->y);
    return look->style;
}

static double whole(double y)
{
    return isfinite(y) ? nearbyint(y) : 0.0;
}

static int differ(const struct found *found, const struct look *one, const struct look *two)
{
    const struct style *a = &found->styles[one->style], *b = &found->styles[two->style];
    return a->font != b->font || a->size != b->size || whole(one->y) != whole(two->y);
}

static double right_of(struct asking *ask, int index)
{
    double left = 0, right = 0, bottom = 0, top = 0, one, two, down;

    ask->pdfium->box(ask->page, index, &left, &right, &bottom, &top);
    turn(ask->found, left, bottom, &one, &down);
    turn(ask->found, right, top, &two, &down);
    return two > one ? two : one;
}

static void set_run(struct asking *ask, struct run *run, const struct look *first, int start, int end)
{
    double right = right_of(ask, end - 1);

    run->start = start, run->end = end, run->style = first->style, run->glued = 0;
    run->x0 = first->x, run->base = first->y;
    run->x1 = right > first->x ? right : first->x;
}

/* The runs of one piece, from 1 to its number of characters; negative when there are too many styles. */
static int32_t cut(struct asking *ask, int start, int end, int careful, struct run *runs)
{
    struct look first, last, next;
    int32_t count = 0;
    int low = start, index;

    if (look_at(ask, start, &first) < 0)
        return TOO_MANY;
    if (end - start > 1 && !careful) {
        if (look_at(ask, end - 1, &last) < 0)
            return TOO_MANY;
        careful = differ(ask->found, &first, &last);
    }
    if (end - start > 1 && careful) {
        last = first;
        for (index = start + 1; index < end; index++, last = next) {
            if (look_at(ask, index, &next) < 0)
                return TOO_MANY;
            if (!differ(ask->found, &last, &next))
                continue;
            set_run(ask, &runs[count], &first, low, index);
            runs[count++].glued = low > start;
            first = next, low = index;
        }
    }
    set_run(ask, &runs[count], &first, low, end);
    runs[count++].glued = low > start;
    return count;
}

EXPORT int32_t openseer_version(void)
{
    return VERSION;
}

/* The runs of a page whose text is `codes`, `total` of them, pdfium having as many characters at least. `careful` has
 * one byte for each of `pieces` pieces, or is NULL. `runs` has room for `total`: no run is empty. Returns the number of
 * runs, or a negative reason. */
EXPORT int32_t openseer_runs(const struct pdfium *pdfium, void *page, int32_t total, const uint32_t *codes,
                             const unsigned char *careful, int32_t pieces, struct found *found, struct run *runs)
{
    struct asking ask;
    size_t size = 64;
    int32_t start, end = 0, piece = 0, made = 0, more = 0;

    found->styles_count = found->fonts_count = 0;
    memset(&ask, 0, sizeof ask);
    ask.pdfium = pdfium, ask.page = page, ask.found = found;
    while (size < 2 * (size_t)(total > 0 ? total : 0))
        size *= 2;
    ask.mask = size - 1;
    ask.known = calloc(size, sizeof *ask.known);
    if (!ask.known)
        return NO_MEMORY;
    for (start = 0; start < total && more >= 0; start = end) {
        while (start < total && is_gap(codes[start]))
            start++;
        for (end = start; end < total && !is_gap(codes[end]);)
            end++;
        if (start == end)
            break;
        if (careful && piece >= pieces) {
            more = OTHER_PIECES;
            break;
        }
        more = cut(&ask, start, end, careful && careful[piece], runs + made);
        piece++;
        if (more > 0) {
            made += more;
            if (end < total && codes[end] == HYPHEN)
                runs[made - 1].end++;
        }
    }
    free(ask.known);
    if (careful && more >= 0 && piece != pieces)
        return OTHER_PIECES;
    return more < 0 ? more : made;
}

/* The text of a page, one code per character. */
EXPORT void openseer_letters(const struct pdfium *pdfium, void *page, int32_t total, uint32_t *codes)
{
    int32_t i;

    for (i = 0; i < total; i++) {
        uint32_t code = pdfium->unicode(page, i);
        codes[i] = (code >= 0xD800 && code < 0xE000) || code > 0x10FFFF ? 0xFFFD : code;
    }
}
