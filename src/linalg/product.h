#pragma once
// Dense products in double: the one place with a hand-written matrix kernel, because the matrix
// library of the networks has none for double (docs/decisions/0013).

#include "base/matrix.h"
#include "base/thread_pool.h"

namespace pegnn {

enum class Form { plain, transposed };

// c <- beta c + alpha op(a) op(b), where op is the matrix or its transpose. op(a): m x p,
// op(b): p x n, c: m x n; c overlaps neither. With beta 0 the old c is not read. Same bits for any
// number of threads. Several threads may call it at once; each keeps up to 9 MB for its next call.
void product(const ThreadPool& pool, double alpha, Mat<const double> a, Form form_a,
             Mat<const double> b, Form form_b, double beta, Mat<double> c);

}  // namespace pegnn
