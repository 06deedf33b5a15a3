# Ordinary kriging by gstat: Rscript gstat_kriging.R TRAIN.csv QUERIES.csv OUT.csv KERNEL RANGE SILL NUGGET K
#
# TRAIN has the columns x, y, z, QUERIES has x, y; OUT gets one row per query: mean, variance. The range is that of
# pegnn, whose correlations are written at the top of src/baseline/covariance.h.

suppressPackageStartupMessages({
  library(sp)
  library(gstat)
})

arguments <- commandArgs(trailingOnly = TRUE)
kernel <- arguments[4]
number <- as.numeric(arguments[5:8])
range <- number[1]
sill <- number[2]
nugget <- number[3]

train <- read.csv(arguments[1])
queries <- read.csv(arguments[2])
coordinates(train) <- ~ x + y
coordinates(queries) <- ~ x + y

# gstat: Exp exp(-h/a); Mat with (h/a)^kappa K_kappa(h/a); Gau exp(-(h/a)^2).
model <- switch(kernel,
  exponential = vgm(sill, "Exp", range, nugget),
  matern32 = vgm(sill, "Mat", range / sqrt(3), nugget, kappa = 1.5),
  matern52 = vgm(sill, "Mat", range / sqrt(5), nugget, kappa = 2.5),
  gaussian = vgm(sill, "Gau", range * sqrt(2), nugget),
  stop("unknown kernel ", kernel)
)
result <- krige(z ~ 1, train, queries, model = model, nmax = number[4], debug.level = 0)
out <- data.frame(mean = result$var1.pred, variance = result$var1.var)
write.csv(format(out, digits = 17), arguments[3], row.names = FALSE, quote = FALSE)
