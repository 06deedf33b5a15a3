#pragma once
// Many runs of one command from one loaded program.

namespace pegnn::torture {

// Returns in every child that is to run main(), or at once where no server is asked for.
void serve_forks();

}  // namespace pegnn::torture
