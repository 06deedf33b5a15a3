#pragma once
// Temporary files and folders that stand beside their place while they are written,
// NAME.pegnn-PID.tmp, and what killed processes have left of them.

#include <filesystem>
#include <functional>
#include <string_view>

namespace pegnn {

// The `attempt`-th name (from 0) of a temporary of `file`. The process id keeps most runs apart;
// two in different containers may have the same, so that a name that is taken is not the last.
std::filesystem::path temporary_name(const std::filesystem::path& file, int attempt);
inline constexpr int kMostTemporaries = 1000;  // of one file at a time

// Marks a temporary just made as one that is being written, for as long as the descriptor is open.
// False when another process has taken it for a leftover: it is gone, and another must be made.
bool lock_temporary(int descriptor) noexcept;

// Takes away the temporaries of `file` that nobody is writing any more. Where the file system knows
// no locks nothing is touched.
void remove_leftovers(const std::filesystem::path& file);
// The same for all files of a folder whose name `is_ours`.
void remove_leftovers_in(const std::filesystem::path& folder,
                         const std::function<bool(std::string_view)>& is_ours);

}  // namespace pegnn
