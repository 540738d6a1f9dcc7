package diff

import "flag"

var sweep = flag.Bool("sweep", false, "compare 400 differences with git, as .ci/sweep does; without it 120")
