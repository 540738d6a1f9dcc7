package diff

import "flag"

var sweep = flag.Bool("sweep", false, "compare 400 differences with git, as the gate does; without it 120")
