package main
import ("context";"os";"fsbox/commands";"runtime";"runtime/pprof")
func main(){
 runtime.SetCPUProfileRate(1000)
 pprof.StartCPUProfile(os.NewFile(9,"prof"))
 s:=commands.Main(context.Background(),os.Args[1:],os.Stdin,os.Stdout,os.Stderr)
 pprof.StopCPUProfile(); os.Exit(s)
}
