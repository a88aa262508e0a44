package cli

import "os"

var out, errors = os.Stdout, os.Stderr
