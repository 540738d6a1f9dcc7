package walk

import "flag"

var sweep = flag.Bool("sweep", false, "run every case, as .ci/sweep does; without it a sample")
