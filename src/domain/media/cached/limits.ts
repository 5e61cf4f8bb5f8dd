/** Bytes of a remote file: as much as users of this server may upload. */
export const MAX_FILE_BYTES = 99 * 1_048_576
