package patch

import "flag"

var sweep = flag.Bool("sweep", false, "take the longest texts and the most hunks, as .ci/sweep does; without it fewer")
