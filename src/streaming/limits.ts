/** What a reader may leave unread before the connection is cut: who is so far behind catches up by the timelines. */
export const MAX_UNREAD_BYTES = 1024 * 1024

/** An ending connection has so long to say goodbye. */
export const GOODBYE_MS = 1_500
