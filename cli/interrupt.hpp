// Ctrl-C and SIGTERM ask the program to stop where nothing is lost; a second one, half a second or more later, stops it
// at once, and loses what this call has not written yet.
#pragma once

namespace aria::cli {

void catch_interrupts();
bool interrupted();

}  // namespace aria::cli
