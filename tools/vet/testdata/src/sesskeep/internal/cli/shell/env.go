package shell

import "os"

var out, errors = os.Stdout, os.Stderr
