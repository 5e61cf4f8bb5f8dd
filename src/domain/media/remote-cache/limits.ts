/** The largest remote file in bytes: the same as for uploads of local users. */
export const MAX_FILE_BYTES = 99 * 1_048_576
