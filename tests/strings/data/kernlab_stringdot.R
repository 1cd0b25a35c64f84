# Values of kernlab's string kernels for the lines of kernlab_strings.txt, each
# pair once. In this folder: Rscript kernlab_stringdot.R > kernlab_stringdot.csv

suppressMessages(library(kernlab))
x <- as.list(readLines("kernlab_strings.txt"))
kernels <- list(
  spectrum_1 = stringdot(type = "spectrum", length = 1, normalized = FALSE),
  spectrum_3 = stringdot(type = "spectrum", length = 3, normalized = FALSE),
  boundrange_1 = stringdot(type = "boundrange", length = 1, normalized = FALSE),
  boundrange_3 = stringdot(type = "boundrange", length = 3, normalized = FALSE),
  boundrange_25 = stringdot(type = "boundrange", length = 25, normalized = FALSE),
  boundrange_5_normalized = stringdot(type = "boundrange", length = 5, normalized = TRUE),
  constant = stringdot(type = "constant", normalized = FALSE),
  exponential_1.1 = stringdot(type = "exponential", lambda = 1.1, normalized = FALSE),
  exponential_2 = stringdot(type = "exponential", lambda = 2, normalized = FALSE),
  sequence_2_0.5 = stringdot(type = "sequence", length = 2, lambda = 0.5, normalized = FALSE),
  sequence_3_0.9 = stringdot(type = "sequence", length = 3, lambda = 0.9, normalized = FALSE)
)
pairs <- which(upper.tri(diag(length(x)), diag = TRUE), arr.ind = TRUE)
table <- data.frame(i = pairs[, 1] - 1, j = pairs[, 2] - 1)
for (name in names(kernels)) {
  k <- kernels[[name]]
  table[[name]] <- apply(pairs, 1, function(p) k(x[[p[1]]], x[[p[2]]]))
}
write.csv(format(table, digits = 15, trim = TRUE), quote = FALSE, row.names = FALSE)
