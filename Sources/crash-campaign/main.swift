import CrashWorkload

// Tries crash points on simulated disks: `crash-campaign --points N --seed S [--seconds T]`. Exit code 0 when nothing was
// violated, 1 when something was, 2 for a wrong call.

let usage = """
  Usage: crash-campaign [--points N] [--seed S] [--seconds T]

  Writes logs on simulated disks, lets the power go (or a write fail, or the disk be full) at a random moment, opens
  them again and compares with what had been acknowledged. Each point follows from one number: a failed one is tried
  again with --points 1 --seed and the number printed.

    --points N   how many points to try (default 100000)
    --seed S     the first point's number (default 1)
    --seconds T  stop after this time, if the points are not done by then
    --trace      tell what happens at each point
  """

func fail(_ message: String) -> Never {
  printError(message + "\n\n" + usage)
  exitProgram(2)
}

var points: UInt64 = 100_000
var seed: UInt64 = 1
var seconds: Double?
var traces = false
var arguments = CommandLine.arguments.dropFirst()
while let name = arguments.popFirst() {
  if name == "--help" || name == "-h" {
    print(usage)
    exitProgram(0)
  }
  if name == "--trace" {
    traces = true
    continue
  }
  guard ["--points", "--seed", "--seconds"].contains(name) else { fail("There is no option \(name).") }
  guard let text = arguments.popFirst() else { fail("\(name) needs a number.") }
  switch name {
  case "--points":
    guard let number = UInt64(text), number > 0 else { fail("--points needs a number above 0, not \(text).") }
    points = number
  case "--seed":
    guard let number = UInt64(text) else { fail("--seed needs a number, not \(text).") }
    seed = number
  default:
    guard let number = Double(text), number > 0 else { fail("--seconds needs a number above 0, not \(text).") }
    seconds = number
  }
}
exitProgram(CrashCampaign(points: points, firstSeed: seed, seconds: seconds, traces: traces).run() == 0 ? 0 : 1)
