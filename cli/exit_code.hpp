// What the program tells its caller.
#pragma once

namespace aria::cli {

enum ExitCode : int { kDone = 0, kFailed = 1, kBadInput = 2, kInterrupted = 3 };

}  // namespace aria::cli
