package main

import "fmt"

func main() { fmt.Println("a program for us alone may") }
