/** The unread bytes above which a connection is terminated. Its client can catch up by the timelines. */
export const MAX_UNREAD_BYTES = 1024 * 1024

/** The time in which a client has to confirm the close of its connection. */
export const CLOSE_TIMEOUT_MS = 1_500
