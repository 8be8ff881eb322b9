// SPDX-License-Identifier: Apache-2.0
//
// Runs a program and waits for it, as a shell does.

#include "Run.h"

#include "scanweave/Driver/Compile.h"

#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <csignal>
#include <cstring>
#include <spawn.h>
#include <sys/wait.h>

using namespace scanweave;

extern "C" char **environ;

int scanweave::runProgram(const std::string &executable,
                          const std::string &name,
                          const std::vector<std::string> &arguments) {
  std::vector<char *> argv = {const_cast<char *>(name.c_str())};
  for (const std::string &argument : arguments)
    argv.push_back(const_cast<char *>(argument.c_str()));
  argv.push_back(nullptr);

  // The terminal's interrupt is for the program; this process waits for it, to
  // remove its file.
  struct sigaction ignore = {}, interrupt, quit;
  ignore.sa_handler = SIG_IGN;
  sigaction(SIGINT, &ignore, &interrupt);
  sigaction(SIGQUIT, &ignore, &quit);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t defaults;
  sigemptyset(&defaults);
  sigaddset(&defaults, SIGINT);
  sigaddset(&defaults, SIGQUIT);
  posix_spawnattr_setsigdefault(&attributes, &defaults);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
  pid_t process;
  int failure = posix_spawn(&process, executable.c_str(), nullptr, &attributes,
                            argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  int status = 0;
  if (!failure)
    while (waitpid(process, &status, 0) < 0 && errno == EINTR)
      ;
  sigaction(SIGINT, &interrupt, nullptr);
  sigaction(SIGQUIT, &quit, nullptr);
  if (failure) {
    llvm::WithColor::error(llvm::errs(), "weavec")
        << "cannot run '" << executable << "': " << strerror(failure) << '\n';
    return static_cast<int>(ExitCode::file);
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
