#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Fails if the second number of allocations read exceeds the first by more than a limit.

usage: check_growth.py LIMIT < what two runs printed
"""

import re
import sys

limit = int(sys.argv[1])
few, many = (int(n) for n in re.findall(r"allocations: (\d+)", sys.stdin.read()))
if few == 0 or many - few > limit:
    sys.exit(f"{few} allocations became {many}: at most {limit} more expected")
