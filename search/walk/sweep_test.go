package walk

import "flag"

var sweep = flag.Bool("sweep", false, "run every case, as the gate does; without it a sample")
