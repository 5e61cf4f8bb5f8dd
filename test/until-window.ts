/**
 * How long it is, in milliseconds, until windows of so many hours have just begun, counted from `now`. Throttles count
 * in windows that are the same for everybody: what is to be counted within one starts then.
 */
export function untilWindow(hours: number, now: Date = new Date()): number {
  const windowMs = hours * 3_600_000
  return windowMs - (now.getTime() % windowMs) + 1_000
}
