package charset

import "flag"

var sweep = flag.Bool("sweep", false, "try every code point, as .ci/sweep does; without it one of seven where there are many of a kind")
