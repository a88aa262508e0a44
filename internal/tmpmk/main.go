package main
import ("os";"strconv";"sesskeep/internal/storetest";"fmt")
func main(){ n:=func(i int)int{v,_:=strconv.Atoi(os.Args[i]);return v}
 c,err:=storetest.Make(os.Args[1], storetest.Size{Sessions:n(2),Agents:n(3),Projects:n(4),Bytes:int64(n(5))<<20}, uint64(n(6))); fmt.Println(len(c.Files),err) }
