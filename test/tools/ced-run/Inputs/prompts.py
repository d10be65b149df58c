"""prompts.py <length> ...: one prompt of that length a line, fixed pseudo-random ids in [3, 500)."""

import random
import sys

source = random.Random(5)
for length in sys.argv[1:]:
    print(",".join(str(source.randrange(3, 500)) for _ in range(int(length))))
