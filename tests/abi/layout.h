/* Where everything lies in one version of the header, as numbers that can be compared with another's. */
#ifndef TESTS_ABI_LAYOUT_H
#define TESTS_ABI_LAYOUT_H
#include <stddef.h>

/* A field of a struct, or, with neither name nor offset, the struct after its last field; or a number. */
typedef struct abi_fact {
    const char *of, *name;
    size_t offset, size;
} abi_fact;

typedef struct abi_layout {
    unsigned minor;
    const abi_fact* facts; /* ends with one whose `of` is null */
} abi_layout;

#ifdef __cplusplus
extern "C" {
#endif
extern const abi_layout frozen_layout, todays_layout, grown_layout;
#ifdef __cplusplus
}
#endif
#endif
