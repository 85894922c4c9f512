#!/usr/bin/env python3
"""Makes the header of a fictitious next minor version from abi.h: every struct that can grow has a field more at its end,
flags have new bits, there are a new type, a new access form and a new optional function."""
import re
import sys

source, target = sys.argv[1:]
with open(source, encoding="utf-8") as file:
    text = file.read()


def replace(pattern, replacement):
    global text
    text, count = re.subn(pattern, replacement, text, flags=re.M)
    if count != 1:
        sys.exit(f"{source}: {pattern} is there {count} times; the script that grows the header expects it once.")


replace(r"^#define TG_ABI_MINOR (\d+)u$", lambda found: f"#define TG_ABI_MINOR {int(found[1]) + 1}u\n#define TG_GROWN 1")
for struct in "tg_error", "tg_tile_args", "tg_problem", "tg_gemm_args", "tg_gemm", "tg_host", "tg_plugin":
    replace(rf"^}} {struct};$", f"    uint64_t grown;\n}} {struct};")
replace(r"^} tg_tile;$", "    tg_tile_run grown; /* optional */\n} tg_tile;")
replace(r"^} tg_kernel;$", "    const char* (*grown)(const struct tg_kernel*) TG_NOEXCEPT; /* optional */\n} tg_kernel;")
replace(r"TG_I32 = 7 ", "TG_I32 = 7, TG_GROWN_TYPE = 100 ")
replace(r"TG_ANY = 1u << 3 ", "TG_ANY = 1u << 3, TG_GROWN_FORM = 1u << 30 ")
replace(r"TG_ACCUMULATE = 1u << 0 ", "TG_ACCUMULATE = 1u << 0, TG_GROWN_CALL = 1u << 30 ")
replace(r"TG_OWN_THREADS = 1u << 3 ", "TG_OWN_THREADS = 1u << 3, TG_GROWN_DEMAND = 1u << 15, TG_GROWN_OFFER = 1u << 30 ")
with open(target, "w", encoding="utf-8") as file:
    file.write(text)
