package walk

import "flag"

var sweep = flag.Bool("sweep", false, "ask git about every named class, as the gate does; without it about three")
