package list

import "fmt"

func init() { fmt.Print("a test may") }
