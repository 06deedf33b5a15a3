# Moran's I by spdep: Rscript spdep_moran.R TABLE.csv OUT.csv K STYLE
#
# TABLE has the columns x, y, z; STYLE is W (rows sum to 1) or B (binary). OUT gets the global I as its first row, then
# one row per point with the local I.

suppressPackageStartupMessages(library(spdep))

arguments <- commandArgs(trailingOnly = TRUE)
table <- read.csv(arguments[1])
neighbours <- knn2nb(knearneigh(cbind(table$x, table$y), k = as.integer(arguments[3])))
weights <- nb2listw(neighbours, style = arguments[4])
global <- moran(table$z, weights, nrow(table), Szero(weights))$I
# Divided by n - 1, as in Anselin (1995).
local <- localmoran(table$z, weights, mlvar = FALSE)[, 1]
out <- data.frame(I = c(global, local))
write.csv(format(out, digits = 17), arguments[2], row.names = FALSE, quote = FALSE)
